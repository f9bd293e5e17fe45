import { sql } from 'kysely';
import type { CoachDashboard } from '#contract/home.ts';
import { houseZone } from '#contract/house-zone.ts';
import type { PayPeriod } from '#contract/pay-periods.ts';
import { daysOfWeek } from '#contract/standing.ts';
import { dayAt } from '#contract/weeks.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { ownParticipants } from '#server/features/coaching/coaching-access.ts';
import { noProgress, progressColumns } from '#server/features/learning/fellowship-queries.ts';
import {
  attended,
  dueAssignments,
  handedIn,
  isSilent,
  missedActivities,
  missedSessions,
  overdueAssignments,
  ownMemberships,
  taughtActivities,
} from '#server/features/people/attention-queries.ts';
import { kindNameIn } from '#server/features/programmes/calendar-queries.ts';
import { holdsNow, judgeAtRisk } from '#server/features/stipends/week-risk-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byNumber, byText, descending, pagesBy } from '#server/platform/pages.ts';

const pages = pagesBy(25, [
  descending(byNumber(sql`gravity`)),
  descending(byNumber(sql`open_matters`)),
  byText(sql`first_name`),
  byText(sql`last_name`),
  byId(sql`id`),
]);

/** Returns each of the coach's own participants once, under the course that they joined last (COACH-04, COACH-08). */
export function eachOwnParticipant(db: Db, coach: Pick<Actor, 'id'>) {
  return ownParticipants(db, coach)
    .innerJoin('courses', 'courses.id', 'userCourses.courseId')
    .distinctOn('profiles.id')
    .select([
      'profiles.id',
      'profiles.firstName',
      'profiles.lastName',
      'profiles.email',
      'profiles.trackType',
      'courses.title as courseTitle',
      'userCourses.status',
      'userCourses.startDate',
    ])
    .orderBy('profiles.id')
    .orderBy('userCourses.startDate', 'desc')
    .orderBy('courses.id');
}

export async function findCoachParticipants(
  db: Db,
  coach: Pick<Actor, 'id'>,
  { at, cursor }: { at: Date; cursor: string | undefined },
) {
  const found = await askRanked(db, coach, at, {
    ask: (ranking) => (cursor ? pageRows(db, ranking, cursor).execute() : firstPageRows(db, ranking)),
    rowsOf: (rows) => rows,
  });
  const page = pages.cut(found, ({ gravity, openMatters, firstName, lastName, id }) => [
    gravity,
    openMatters,
    firstName,
    lastName,
    id,
  ]);
  return { ...page, rows: page.rows.map(toParticipant) };
}

export interface Ranking {
  coachId: string;
  at: Date;
  today: string;
  /** Those of whom no outlook was kept, so that they were judged for this answer. */
  judged: string[];
  atRisk: string[];
}

/**
 * Asks for people in the order of their need. Nearly always that is one statement. If the answer rests on somebody without
 * an outlook, it judges them and asks again.
 */
export async function askRanked<Answer>(
  db: Db,
  coach: Pick<Actor, 'id'>,
  at: Date,
  { ask, rowsOf }: { ask: (ranking: Ranking) => Promise<Answer>; rowsOf: (answer: Answer) => { unknown: string[] }[] },
): Promise<Answer> {
  const ranking: Ranking = { coachId: coach.id, at, today: dayAt(at, houseZone), judged: [], atRisk: [] };
  for (;;) {
    const answer = await ask(ranking);
    const unknown = rowsOf(answer)[0]?.unknown ?? [];
    if (unknown.length === 0) return answer;
    ranking.judged.push(...unknown);
    ranking.atRisk.push(...(await judgeAtRisk(db, unknown)));
  }
}

/**
 * A query with the coach's `own` participants, and `weighed`: the same with the reasons why they need the coach. The
 * `programme` is that of the cohort that the person is in, the latest first, with the progress there. COACH-07: the rate
 * counts reviewed work, which has any status but 'submitted'.
 */
export function withRanking(db: Db, { coachId, at, today, judged, atRisk }: Ranking) {
  const coach = { id: coachId };
  return db
    .with('own', () => eachOwnParticipant(db, coach))
    .with(
      (cte) => cte('joined').materialized(),
      () => ownMemberships,
    )
    .with(
      (cte) => cte('taught').materialized(),
      () => taughtActivities,
    )
    .with(
      (cte) => cte('due').materialized(),
      () => dueAssignments(today),
    )
    .with(
      (cte) => cte('programme').materialized(),
      (query) =>
        query
          .selectFrom('joined')
          .innerJoin('own', 'own.id', 'joined.participantId')
          .innerJoin('cohorts', 'cohorts.id', 'joined.cohortId')
          .innerJoin('programmes', 'programmes.id', 'cohorts.programmeId')
          .leftJoin('participantProgress as progress', (join) =>
            join
              .onRef('progress.participantId', '=', 'joined.participantId')
              .onRef('progress.cohortId', '=', 'joined.cohortId'),
          )
          .distinctOn('joined.participantId')
          .select('joined.participantId')
          .select(progressColumns())
          .select([kindNameIn(sql`own`).as('kindName'), sql<PayPeriod>`programmes.pay_period`.as('payPeriod')])
          .orderBy('joined.participantId')
          .orderBy('cohorts.startDate', 'desc')
          .orderBy('cohorts.id', 'desc'),
    )
    .with('ranked', (query) =>
      query
        .selectFrom('own')
        .innerJoinLateral(handedIn.as('handedIn'), (join) => join.onTrue())
        .innerJoinLateral(attended.as('attended'), (join) => join.onTrue())
        .leftJoin('programme', 'programme.participantId', 'own.id')
        .leftJoin('stipendOutlooks as outlook', (join) => join.onRef('outlook.personId', '=', 'own.id').on(holdsNow))
        .selectAll('own')
        .select(['programme.overallPercentage', 'programme.status as progressStatus', 'programme.daysAheadBehind'])
        .select(['programme.kindName', 'programme.payPeriod'])
        .select([
          'handedIn.submissions as totalSubmissions',
          'handedIn.graded as gradedSubmissions',
          'handedIn.toRevise as submissionsToRevise',
        ])
        .select([
          missedActivities(today).as('missedActivities'),
          overdueAssignments.as('overdueAssignments'),
          missedSessions(coach, at).as('missedSessions'),
          isSilent(at).as('isSilent'),
          sql<boolean>`coalesce(outlook.is_at_risk, own.id = any(${atRisk}::uuid[]))`.as('isStipendAtRisk'),
          sql<string[]>`coalesce(array_agg(own.id) filter (where outlook.person_id is null
            and programme.participant_id is not null and own.id <> all(${judged}::uuid[])) over (), '{}')`.as(
            'unknown',
          ),
          sql<number>`count(*) over ()`.as('total'),
          sql<number>`round(100.0 * count(*) filter (where handed_in.graded > 0) over () / count(*) over ())`.as(
            'completionRate',
          ),
        ]),
    )
    .with('weighed', (query) =>
      query
        .selectFrom('ranked')
        .selectAll()
        .select([gravity.as('gravity'), openMatters.as('openMatters')])
        .$narrowType<Pick<CoachDashboard['participants'][number], 'trackType'>>(),
    );
}

/** The participant who needs the coach most comes first: by the gravest of the reasons, then by how much is open. */
export const byNeed = pages.inOrder;

function pageRows(db: Db, ranking: Ranking, cursor?: string) {
  return withRanking(db, ranking)
    .selectFrom('weighed')
    .selectAll()
    .where(pages.comesAfter(cursor))
    .orderBy(byNeed)
    .limit(pages.most);
}

const firstPageRows = builtOnce((db, ranking: Ranking) => pageRows(db, ranking));

/** The order is that of `personStanding`: money first, silence last. */
const gravity = sql<number>`case
  when is_stipend_at_risk then 7
  when missed_activities > 0 then 6
  when overdue_assignments > 0 then 5
  when days_ahead_behind <= -${sql.lit(daysOfWeek)} then 4
  when submissions_to_revise > 0 then 3
  when missed_sessions > 0 then 2
  when is_silent then 1
  else 0 end`;

const openMatters = sql<number>`(missed_activities + overdue_assignments + submissions_to_revise + missed_sessions)`;

export function toParticipant({
  gravity: _,
  openMatters: __,
  unknown: ___,
  overallPercentage,
  progressStatus,
  daysAheadBehind,
  ...row
}: Awaited<ReturnType<typeof firstPageRows>>[number]) {
  const progress =
    overallPercentage === null || progressStatus === null
      ? noProgress
      : { overallPercentage, status: progressStatus, daysAheadBehind };
  return { ...row, progress };
}
