import { sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { setSecondApprover as setSecondApproverEndpoint } from '#contract/stipend-cohorts.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';
import { agreementRefusal, askedOffOf, toAskedOff } from './second-approver-queries.ts';

type Given = ParsedInputOf<typeof setSecondApproverEndpoint>['body'];
type Reply = ReplyOf<typeof setSecondApproverEndpoint>;

/**
 * Sets whether the stipends of a cohort need two admins. Rows that one has approved already still need the second. One
 * admin alone cannot end it: one asks, another agrees, and all admins are told of both.
 */
export async function setSecondApprover(db: Db, actor: Actor, cohortId: string, given: Given): Promise<Reply> {
  await lockCohort(db, cohortId);
  const standing = await findStanding(db, actor, cohortId);
  if (given.isNeeded) return standing.isNeeded ? keep(db, actor, standing) : switchOn(db, actor, standing);
  if (!standing.isNeeded) return { isNeeded: false, askedOff: null };
  if (given.confirms) return agree(db, actor, standing);
  return standing.askedOff ? refuseSecondQuestion(standing) : ask(db, actor, standing);
}

async function lockCohort(db: Db, cohortId: string): Promise<void> {
  const cohort = await db
    .selectFrom('cohorts')
    .select('id')
    .where('id', '=', cohortId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!cohort) throw notFound('This cohort was not found.');
}

type Standing = Awaited<ReturnType<typeof findStanding>>;

async function findStanding(db: Db, actor: Actor, cohortId: string) {
  const { askedOff, ...cohort } = await db
    .selectFrom('cohorts')
    .select((eb) => [
      'id',
      'name',
      'needsSecondApprover as isNeeded',
      askedOffOf(actor, eb.ref('cohorts.id')).as('askedOff'),
      sql<
        string[]
      >`array(select id from profiles where role = 'admin' and deleted_at is null and id <> ${actor.id})`.as(
        'otherAdminIds',
      ),
    ])
    .where('id', '=', cohortId)
    .executeTakeFirstOrThrow();
  const refusal = askedOff && agreementRefusal(askedOff);
  return { ...cohort, askedOff: toAskedOff(askedOff, actor), refusal };
}

async function switchOn(db: Db, actor: Actor, standing: Standing): Promise<Reply> {
  if (standing.otherAdminIds.length === 0) {
    throw new AppError('conflict', 'You are the only admin: nobody else could approve these stipends.');
  }
  await write(db, standing, { needsSecondApprover: true });
  await record(db, actor, standing, 'set_second_approver', { from: false, to: true });
  await tellAdmins(db, actor, standing, 'now needs two approvers');
  return { isNeeded: true, askedOff: null };
}

async function keep(db: Db, actor: Actor, standing: Standing): Promise<Reply> {
  if (standing.askedOff) {
    await write(db, standing, { askedOffBy: null, askedOffAt: null });
    await record(db, actor, standing, 'keep_second_approver', { from: true, to: true });
    await tellAdmins(db, actor, standing, 'keeps needing two approvers');
  }
  return { isNeeded: true, askedOff: null };
}

async function ask(db: Db, actor: Actor, standing: Standing): Promise<Reply> {
  const at = now();
  await write(db, standing, { askedOffBy: actor.id, askedOffAt: at });
  await record(db, actor, standing, 'ask_one_approver', { from: true, to: true });
  await tellAdmins(db, actor, standing, null);
  return {
    isNeeded: true,
    askedOff: {
      byName: `${actor.firstName} ${actor.lastName}`,
      at: at.toISOString(),
      isOwn: true,
      can: { agree: false },
    },
  };
}

async function agree(db: Db, actor: Actor, standing: Standing): Promise<Reply> {
  if (!standing.askedOff) throw new AppError('stale', 'Nobody is asking for this now. Please look again.');
  if (standing.askedOff.isOwn) return { isNeeded: true, askedOff: standing.askedOff };
  if (standing.refusal) throw standing.refusal;
  await write(db, standing, { needsSecondApprover: false, askedOffBy: null, askedOffAt: null });
  await record(db, actor, standing, 'set_second_approver', { from: true, to: false });
  await tellAdmins(db, actor, standing, 'now needs only one approver');
  return { isNeeded: false, askedOff: null };
}

/** Two admins who ask at once have not agreed with each other. The later one is shown that the other asked. */
function refuseSecondQuestion({ askedOff }: Standing): Reply {
  if (!askedOff || askedOff.isOwn) return { isNeeded: true, askedOff };
  throw new AppError('stale', `${askedOff.byName} has asked for this already. You can agree to it.`);
}

interface Change {
  needsSecondApprover?: boolean;
  askedOffBy?: string | null;
  askedOffAt?: Date | null;
}

async function write(db: Db, { id }: Standing, change: Change): Promise<void> {
  await db.updateTable('cohorts').set(change).where('id', '=', id).execute();
}

type Verb = 'set_second_approver' | 'keep_second_approver' | 'ask_one_approver';

function record(db: Db, actor: Actor, { id }: Standing, verb: Verb, { from, to }: { from: boolean; to: boolean }) {
  return audit(db, actor.id, {
    action: `cohort.${verb}`,
    subjectType: 'cohort',
    subjectId: id,
    before: { needsSecondApprover: from },
    after: { needsSecondApprover: to },
  });
}

/** A null outcome means that the question was asked. */
async function tellAdmins(db: Db, actor: Actor, { name, otherAdminIds }: Standing, outcome: string | null) {
  const actorName = `${actor.firstName} ${actor.lastName}`;
  const event = newId();
  await notify(
    db,
    otherAdminIds.map((userId) => ({
      userId,
      kind: 'second_approver',
      title: outcome === null ? `${actorName} asks for only one approver` : `${name} ${outcome}`,
      message:
        outcome === null
          ? `For the stipends of ${name}. It takes effect when another admin agrees in Stipend Management.`
          : `${actorName} changed this in Stipend Management.`,
      link: '/admin/stipend-management',
      preference: 'stipendUpdates',
      eventKey: `second-approver:${event}:${userId}`,
    })),
  );
  await changed(db, 'cohorts', []);
}
