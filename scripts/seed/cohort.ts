import { sql } from 'kysely';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { addDays } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { easternTime } from '#server/db/demo/past.ts';
import { makeCohort, makeModules } from '#server/db/demo/programme.ts';
import { makeResources } from '#server/db/demo/resources.ts';
import { followOwnChanges } from '#server/derivations.ts';
import { standingAt } from '#server/platform/clock.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { seedAvailability, seedRatings, seedSessions } from './coaching.ts';
import { idOf } from './draws.ts';
import { seedFiles, seedHandout } from './files.ts';
import { seedAttendance, seedTicks, seedTracks } from './learning.ts';
import { planMessages, seedMessages } from './messages.ts';
import { type SeededAdmins, seedAdmins, seedPeople } from './people.ts';
import type { CohortPlan } from './plan.ts';
import { judgeWeeks, payWeeks } from './stipends.ts';
import { planRounds, seedSubmissions } from './submissions.ts';

export interface SeededProgramme {
  admins: SeededAdmins;
  courseId: string;
  passwordHash: string;
}

const description = 'Sixteen weeks from the first volt to the first offer, with a stipend for every week that is done.';

/** The admins, the course in which coaches are assigned, and the modules, tracks and resources if there are none. */
export async function seedProgramme(db: Db, seed: number, passwordHash: string): Promise<SeededProgramme> {
  const admins = await seedAdmins(db, seed, passwordHash);
  const courseId = idOf('course', String(seed));
  await db
    .insertInto('courses')
    .values({ id: courseId, title: 'Power Systems Fellowship', trackType: 'fellowship' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const modules = await db.selectFrom('courseModules').select('id').limit(1).executeTakeFirst();
  if (!modules) {
    await makeModules(db, admins[0]);
    await makeResources(db, admins[0], { recordingsFor: null });
  }
  await followOwnChanges(db);
  return { admins, courseId, passwordHash };
}

export async function isCohortThere(db: Db, { name }: CohortPlan): Promise<boolean> {
  const found = await db.selectFrom('cohorts').select('id').where('name', '=', name).executeTakeFirst();
  return found !== undefined;
}

/**
 * Makes one cohort with everything that its people did until today, and what follows from it. Each kind of row is one
 * set. What is taught is there before anybody is, so that no member's facts are derived anew for it.
 */
export async function seedCohort(
  db: Db,
  storage: Storage,
  plan: CohortPlan,
  programme: SeededProgramme,
): Promise<void> {
  const { admins, courseId, passwordHash } = programme;
  const [admin] = admins;
  const cohortId = await seedCurriculum(db, plan, admins);
  await seedHandout(db, storage, plan, cohortId, admin);
  await followOwnChanges(db);
  await seedPeople(db, plan, { cohortId, courseId, passwordHash, admin });
  await seedAttendance(db, plan, cohortId);
  await seedTicks(db, plan, cohortId);
  await planRounds(db, plan, cohortId);
  await planMessages(db, plan);
  await seedFiles(db, storage, plan);
  await seedSubmissions(db, plan);
  await seedRatings(db, plan, cohortId);
  await seedAvailability(db, plan);
  await seedSessions(db, plan);
  await seedMessages(db, plan);
  await followOwnChanges(db);
  await seedTracks(db, plan, cohortId);
  await followOwnChanges(db);
  await judgeWeeks(db, plan, cohortId);
  await payWeeks(db, plan, cohortId, admins);
}

async function seedCurriculum(db: Db, plan: CohortPlan, [admin, second]: SeededAdmins): Promise<string> {
  const { name, startDate, state, size, passedWeeks, needsSecondApprover } = plan;
  const madeAt = easternTime(addDays(startDate, -45), '11:00');
  const { id } = await standingAt(madeAt, () =>
    makeCohort(db, admin, { name, startDate, status: state, capacity: size + 10, description }),
  );
  await sql`
    with policy as (
      insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after)
      select ${madeAt}::timestamptz + interval '1 day', ${second.id}::uuid, 'cohort.set_second_approver', 'cohort', ${id}::uuid,
        '{"needsSecondApprover": false}'::jsonb, '{"needsSecondApprover": true}'::jsonb
      where ${needsSecondApprover}
    )
    update cohorts set created_at = ${madeAt}, needs_second_approver = ${needsSecondApprover},
      unlocked_weeks = ${Math.max(5, Math.min(specifiedCalendar.weeks, passedWeeks + 2))}
    where id = ${id}`.execute(db);
  return id;
}
