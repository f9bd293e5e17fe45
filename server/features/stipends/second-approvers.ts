import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { notFound } from '#server/platform/errors.ts';

/** Whether the stipends of a cohort need two admins; rows that one has approved already still need the second. */
export async function setSecondApprover(db: Db, actor: Actor, cohortId: string, isNeeded: boolean) {
  const cohort = await db
    .selectFrom('cohorts')
    .select('needsSecondApprover')
    .where('id', '=', cohortId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!cohort) throw notFound('This cohort was not found.');
  if (cohort.needsSecondApprover === isNeeded) return { isNeeded };
  await db.updateTable('cohorts').set({ needsSecondApprover: isNeeded }).where('id', '=', cohortId).execute();
  await audit(db, actor.id, {
    action: 'cohort.set_second_approver',
    subjectType: 'cohort',
    subjectId: cohortId,
    before: { needsSecondApprover: cohort.needsSecondApprover },
    after: { needsSecondApprover: isNeeded },
  });
  return { isNeeded };
}
