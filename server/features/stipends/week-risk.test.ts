import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LostSoFar } from '#contract/stipend-facts.ts';
import { areAllMet, type Criteria } from '#contract/stipend-rules.ts';
import type { DB } from '#server/db/schema.gen.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { attend, buildWeekActivities } from '#test/factories/stipends.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { storeProgramme } from '#test/support/stipend-programme.ts';
import { stipendWeekCases, worldOf } from '#test/support/stipend-weeks.ts';
import { lostSoFar, lostSoFarOf } from './stipend-evidence.ts';
import { processWeek } from './stipends.ts';
import { weekFacts } from './week-facts-queries.ts';
import { isAtRisk, peopleAtRisk } from './week-risk-queries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.leave());

/** Each world is rolled back. The clock stands in the middle of its week. */
async function inWorldOf(given: (typeof stipendWeekCases)[number], work: (db: Kysely<DB>) => Promise<void>) {
  const { programme, cohortId } = worldOf(given);
  const startDate = programme.cohorts.find(({ id }) => id === cohortId)?.startDate ?? '';
  const wednesday = new Date(`${startDate}T16:00:00Z`).getTime() + (7 * ((given.week ?? 1) - 1) + 2) * 86_400_000;
  const restore = stopClockAt(new Date(wednesday).toISOString());
  const transaction = await database.db.startTransaction().execute();
  try {
    await storeProgramme(transaction, programme);
    await work(transaction);
  } finally {
    await transaction.rollback().execute();
    restore();
  }
}

async function processAll(db: Kysely<DB>, week: number): Promise<void> {
  const cohorts = await db.selectFrom('cohorts').select('id').execute();
  for (const { id } of cohorts) await processWeek(db, week, id);
}

const everybodyAtRisk = peopleAtRisk(() => sql`select id from profiles`);
const atRisk = async (db: Kysely<DB>) => (await everybodyAtRisk(db, {})).toSorted();

test('whose pay is at risk is the same whether the running week is worked out yet or not', async () => {
  const found: string[][] = [];
  for (const given of stipendWeekCases) {
    await inWorldOf(given, async (db) => {
      const before = await atRisk(db);
      await processAll(db, given.week ?? 1);
      expect(await atRisk(db), given.name).toEqual(before);
      found.push(before);
    });
  }
  expect(found.some((people) => people.length > 0)).toBe(true);
  expect(found.some((people) => people.length === 0)).toBe(true);
});

test('the pay of one person is at risk if it is among that of everybody', async () => {
  const answers: boolean[] = [];
  for (const given of stipendWeekCases) {
    await inWorldOf(given, async (db) => {
      const people = await atRisk(db);
      const { rows } = await sql<{ id: string }>`select id from profiles`.execute(db);
      for (const { id } of rows) {
        const answer = await isAtRisk(db, id);
        expect(answer, given.name).toBe(people.includes(id));
        answers.push(answer);
      }
    });
  }
  expect(new Set(answers)).toEqual(new Set([true, false]));
});

test('what is lost is counted as the evidence of the same facts has it', async () => {
  const found: LostSoFar[] = [];
  for (const given of stipendWeekCases) {
    await inWorldOf(given, async (db) => {
      await sql`update training_activities set duration_minutes = 45`.execute(db);
      await sql`
        insert into excused_absences (participant_id, activity_id, reason, excused_by)
        select participant_id, min(activity.id::text)::uuid, 'A storm.', min(person.id::text)::uuid
        from cohort_participants member join training_activities activity using (cohort_id)
        join profiles person on person.id <> member.participant_id group by participant_id`.execute(db);
      const wanted = sql`
        select participant_id as person_id, cohort_id, ${given.week ?? 1}::integer as week_number from cohort_participants`;
      const longAfter = () => sql<string>`'2100-01-01'::date`;
      for (const today of [todayIn, longAfter]) {
        const { rows } = await sql<{ lost: LostSoFar; ofEvidence: LostSoFar }>`
          with ${weekFacts(wanted, { today: today(sql`calendar.zone`) })}
          select lost, ${lostSoFar(sql`evidence`, today(sql`counted.zone`))} as of_evidence from counted`.execute(db);
        for (const { lost, ofEvidence } of rows) expect(lost, given.name).toEqual(ofEvidence);
        found.push(...rows.map(({ lost }) => lost));
      }
    });
  }
  const isSeen = (name: keyof LostSoFar) =>
    found.some((lost) => lost[name] > 0) && found.some((lost) => lost[name] === 0);
  expect(found.some(({ activities, unexcused }) => unexcused < activities)).toBe(true);
  expect(Object.keys(found[0] ?? {}).filter((name) => !isSeen(name as keyof LostSoFar))).toEqual([]);
});

test('a row that was judged has lost what its evidence says, and a week that meets everything is within reach', async () => {
  const seen = { full: 0, short: 0, eligible: 0 };
  for (const given of stipendWeekCases) {
    await inWorldOf(given, async (db) => {
      await processAll(db, given.week ?? 1);
      for (const today of ['2025-01-01', '2100-01-01'].map((day) => sql<string>`${day}::date`)) {
        const { rows } = await sql<Judged>`
          select *, ${lostSoFarOf(sql`stored`, today)} as lost, ${lostSoFar(sql`stored.evidence`, today)} as of_evidence,
            activities_accessed < activities_total or assignments_submitted < assignments_total as is_short
          from stipend_eligibility stored`.execute(db);
        for (const { lost, ofEvidence, isShort, overallEligible, criteria } of rows) {
          expect(lost, given.name).toEqual(ofEvidence);
          expect(overallEligible && !areAllMet(criteria), given.name).toBe(false);
          seen[isShort ? 'short' : 'full'] += 1;
          if (overallEligible) seen.eligible += 1;
        }
      }
      const atBestToo = await atRisk(db);
      const { rows: eligible } = await sql<{ fellowId: string }>`
        select fellow_id from stipend_eligibility where overall_eligible`.execute(db);
      for (const { fellowId } of eligible) expect(atBestToo, given.name).not.toContain(fellowId);
    });
  }
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
});

interface Judged {
  lost: LostSoFar;
  ofEvidence: LostSoFar;
  isShort: boolean;
  overallEligible: boolean;
  criteria: Criteria;
}

test('evidence from before excuses and minutes were counted has no excuse and no minute', async () => {
  const activity = { counts: true, day: '2025-09-10', accessedAt: null };
  const lostOf = async (...activities: object[]) => {
    const evidence = JSON.stringify({ activities, assignments: [] });
    const lost = lostSoFar(sql`${evidence}::jsonb`, sql<string>`'2025-09-12'::date`);
    const { rows } = await sql<{ lost: LostSoFar }>`select ${lost} as lost`.execute(database.db);
    return rows[0]?.lost;
  };
  const missed = { activities: 2, sessions: 2, assignments: 0 };
  expect(await lostOf(activity, activity)).toEqual({ ...missed, unexcused: 2, minutes: 0 });
  const [excused, open] = [true, false].map((isExcused) => ({ ...activity, isExcused, minutes: 45 }));
  expect(await lostOf({ ...excused }, { ...open })).toEqual({ ...missed, unexcused: 1, minutes: 90 });
});

test('a week that is worked out is at risk as it was judged; its facts are not read again', async () => {
  const given = stipendWeekCases.find(({ name }) => name === 'one activity, not attended');
  if (!given) throw new Error('The case has another name now.');
  await inWorldOf(given, async (db) => {
    await sql`update training_activities set session_date = (select min(start_date) from cohorts)`.execute(db);
    await processAll(db, 1);
    const judged = await atRisk(db);
    await sql`delete from training_activities`.execute(db);
    expect(judged).toHaveLength(1);
    expect(await atRisk(db)).toEqual(judged);
  });
});

test('only those are named for whom the running week is lost', async () => {
  const restore = stopClockAt('2025-09-12T16:00:00Z');
  const db = await database.db.startTransaction().execute();
  try {
    const { id: cohortId } = await buildCohort(db);
    const { id: lost } = await buildParticipant(db);
    const { id: present } = await buildParticipant(db);
    for (const participantId of [lost, present]) await enrol(db, { cohortId, participantId });
    await attend(db, present, await buildWeekActivities(db, 5, { cohortId, sessionDate: '2025-09-10' }));
    expect(await everybodyAtRisk(db, {})).toEqual([lost]);
  } finally {
    await db.rollback().execute();
    restore();
  }
});
