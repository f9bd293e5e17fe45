import { sql } from 'kysely';
import type { WaitingAges } from '#contract/programme-figures.ts';
import { type CountsByAge, waitingAges } from '#contract/waiting-age.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { openCorrectionsByAge } from '#server/features/learning/attendance-correction-queries.ts';
import { findWeeksToDecide } from '#server/features/stipends/cohort-week-queries.ts';
import { openQuestionsByAge } from '#server/features/stipends/stipend-question-queries.ts';
import { talliedWaitingByAge } from '#server/features/submissions/tallied-queries.ts';
import type { Actor } from '#server/platform/actor.ts';

type Counted = Record<'reviews' | 'questions' | 'corrections', CountsByAge>;

/** Takes two statements. Each count is of the rows that the list of its kind shows with that age. */
export async function findWaitingAges(db: Db, admin: Actor): Promise<WaitingAges> {
  const [counts] = await countsFor(db, { adminId: admin.id });
  if (!counts) throw new Error('A select of counts answered no row.');
  const stipendWeeks = await findWeeksToDecide(db);
  const stipends = Object.fromEntries(
    waitingAges.map((age) => [age, stipendWeeks.reduce((sum, week) => sum + (week.age === age ? week.count : 0), 0)]),
  ) as CountsByAge;
  return { ...counts, stipends, stipendWeeks };
}

const countsFor = builtOnce((db, { adminId }: { adminId: string }) => {
  const admin = { id: adminId, role: 'admin' as const };
  return sql<Counted>`
    select (select counts from ${talliedWaitingByAge()} as reviews) as reviews, (${openQuestionsByAge(db, admin)}) as questions,
      (${openCorrectionsByAge(db, admin)}) as corrections`;
});
