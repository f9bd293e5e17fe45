import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { ownRefusal } from '#server/platform/own-rows.ts';
import { changed } from '#server/platform/telling.ts';
import { lockStanding } from './attendance-records.ts';
import { decidedRefusal, findOwnActivity, loadCoachedParticipant, notTaughtAnyMore } from './learning-access.ts';

interface Absence {
  activityId: string;
  participantId: string;
}

/** Excuses an absence, or gives it another reason. The absence stays one. Only rules that ask for excuses change by it. */
export async function excuseAbsence(db: Db, actor: Actor, absence: Absence, reason: string) {
  await requireOpen(db, actor, absence);
  const { participantId, activityId } = absence;
  const excuse = { reason, excusedBy: actor.id };
  await db
    .insertInto('excusedAbsences')
    .values({ participantId, activityId, ...excuse })
    .onConflict((conflict) => conflict.columns(['participantId', 'activityId']).doUpdateSet(excuse))
    .execute();
  return record(db, actor, absence, { action: 'attendance.excuse', reason });
}

export async function takeExcuseBack(db: Db, actor: Actor, absence: Absence) {
  await requireOpen(db, actor, absence);
  const { participantId, activityId } = absence;
  const taken = await db
    .deleteFrom('excusedAbsences')
    .where('participantId', '=', participantId)
    .where('activityId', '=', activityId)
    .returning('reason')
    .executeTakeFirst();
  if (!taken) return { done: true as const };
  return record(db, actor, absence, { action: 'attendance.take_excuse_back', reason: taken.reason });
}

/** Until the transaction ends, no stipend that counts the absence is decided. */
async function requireOpen(db: Db, actor: Actor, { activityId, participantId }: Absence): Promise<void> {
  const participant = await loadCoachedParticipant(db, actor, participantId);
  const activity = await findOwnActivity(db, participant, activityId);
  if (!activity) throw new AppError('conflict', notTaughtAnyMore);
  const { decided } = await lockStanding(db, participantId, activity);
  const refusal = ownRefusal(actor, participantId) ?? decidedRefusal(decided);
  if (refusal) throw refusal;
}

async function record(
  db: Db,
  actor: Actor,
  { activityId, participantId }: Absence,
  { action, reason }: { action: 'attendance.excuse' | 'attendance.take_excuse_back'; reason: string },
) {
  await changed(db, 'attendance', [participantId]);
  await audit(db, actor.id, {
    ...{ action, subjectType: 'user', subjectId: participantId },
    ...{ after: { activityId }, reason },
  });
  return { done: true as const };
}
