import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DB } from '#server/db/schema.gen.ts';
import { followOwnChanges } from '#server/derivations.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { expectedStipends } from '#test/support/stipend-oracle.ts';
import { type StipendProgramme, storeEvents, storeProgramme } from '#test/support/stipend-programme.ts';
import { fates, programmes } from '#test/support/stipend-random.ts';
import { stipendWeekCases, worldOf } from '#test/support/stipend-weeks.ts';
import { processWeek } from './stipends.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.leave());

/** Each world is rolled back, so none meets another's activities without a cohort. */
async function inAWorld(work: (db: Kysely<DB>) => Promise<void>): Promise<void> {
  const transaction = await database.db.startTransaction().execute();
  try {
    await work(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}

async function storedStipends(db: Kysely<DB>, cohortId: string, week: number) {
  const found = await sql<Record<string, unknown>>`
    select fellow_id, activities_accessed || '/' || activities_total as activities,
      assignments_submitted || '/' || assignments_total as assignments, performance_rating as rating,
      attendance_eligible, assignment_eligible, performance_eligible, is_member, overall_eligible
    from stipend_eligibility where cohort_id = ${cohortId} and week_number = ${week} order by fellow_id`.execute(db);
  return found.rows;
}

function expectedInOrder(programme: StipendProgramme, cohortId: string, week: number, hadRow: string[] = []) {
  return expectedStipends(programme, { cohortId, week, hadRow }).toSorted((a, b) => (a.fellowId < b.fellowId ? -1 : 1));
}

test('there are at least 60 cases, each with a name of its own', () => {
  expect(stipendWeekCases.length).toBeGreaterThanOrEqual(60);
  expect(new Set(stipendWeekCases.map(({ name }) => name)).size).toBe(stipendWeekCases.length);
});

test('STIP-25 STIP-31 STIP-32 STIP-33 STIP-34 STIP-35 every case is computed as it is written down, and as the slow calculation has it', async () => {
  for (const given of stipendWeekCases) {
    const { programme, cohortId, fellowId } = worldOf(given);
    const week = given.week ?? 1;
    await inAWorld(async (db) => {
      await storeProgramme(db, programme);
      await processWeek(db, week, cohortId);
      const stored = await storedStipends(db, cohortId, week);
      expect(stored, given.name).toEqual(expectedInOrder(programme, cohortId, week));
      const own = stored.find((row) => row.fellowId === fellowId);
      const { activities, assignments, rating, overallEligible } = own ?? {};
      const inWords = own ? `${activities} ${assignments} ${rating ?? 'none'} ${overallEligible ? 'yes' : 'no'}` : null;
      expect(inWords, given.name).toBe(given.expected);
    });
  }
});

test('STIP-25 STIP-26 STIP-35 random programmes are computed as the slow calculation has them, and a second run changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(programmes, async (programme) => {
      await inAWorld(async (db) => {
        await storeProgramme(db, programme);
        for (const { id } of programme.cohorts) {
          for (const week of [1, 2]) {
            await processWeek(db, week, id);
            expect(await storedStipends(db, id, week)).toEqual(expectedInOrder(programme, id, week));
            expect((await processWeek(db, week, id)).changedRows).toBe(0);
          }
        }
      });
    }),
    { numRuns: 60 },
  );
});

test('STIP-31 STIP-33 attendance, work and ratings after the row was made change undecided rows without another run', async () => {
  await fc.assert(
    fc.asyncProperty(programmes, async (programme) => {
      await inAWorld(async (db) => {
        await storeProgramme(db, { ...programme, attendance: [], submissions: [], ratings: [] });
        for (const { id } of programme.cohorts) for (const week of [1, 2]) await processWeek(db, week, id);
        await storeEvents(db, programme);
        await followOwnChanges(db);
        for (const { id } of programme.cohorts) {
          for (const week of [1, 2]) {
            expect(await storedStipends(db, id, week)).toEqual(expectedInOrder(programme, id, week));
          }
        }
      });
    }),
    { numRuns: 40 },
  );
});

test('STIP-25 STIP-26 STIP-35 a person who leaves keeps an undecided row that says so, and a decided row or an amount set by hand stays as it was', async () => {
  await fc.assert(
    fc.asyncProperty(programmes, fates, async (programme, drawn) => {
      await inAWorld(async (db) => {
        await storeProgramme(db, { ...programme, attendance: [], submissions: [], ratings: [] });
        const places = programme.cohorts.flatMap(({ id }) => [1, 2].map((week) => ({ cohortId: id, week })));
        for (const { cohortId, week } of places) await processWeek(db, week, cohortId);
        const later = programme.memberships.map((membership, index) => ({ membership, fate: drawn[index] }));
        for (const { membership, fate } of later) {
          for (const week of [1, 2])
            await decide(db, membership, { week, by: programme.coachId, fate: fate?.decisions[week - 1] });
        }
        const decided = await decidedRows(db);
        const amounts = await amountsByHand(db);
        const undecided = new Map<string, string[]>();
        for (const { cohortId, week } of places)
          undecided.set(`${cohortId} ${week}`, await undecidedFellows(db, cohortId, week));

        await storeEvents(db, programme);
        for (const { membership, fate } of later) {
          if (membership.status !== 'active' || !fate || fate.status === 'active') continue;
          Object.assign(membership, { status: fate.status, endedAt: fate.endedAt });
          await db
            .updateTable('cohortParticipants')
            .set({ status: fate.status, endedAt: fate.endedAt })
            .where('cohortId', '=', membership.cohortId)
            .where('participantId', '=', membership.participantId)
            .execute();
        }
        await followOwnChanges(db);
        for (const { cohortId, week } of places) {
          const hadRow = undecided.get(`${cohortId} ${week}`) ?? [];
          const expected = expectedInOrder(programme, cohortId, week, hadRow);
          const open = async () =>
            (await storedStipends(db, cohortId, week)).filter(({ fellowId }) => hadRow.includes(String(fellowId)));
          expect(await open()).toEqual(expected.filter(({ fellowId }) => hadRow.includes(fellowId)));
          const stored = (await storedStipends(db, cohortId, week)).map(({ fellowId }) => fellowId);
          const added = expected.filter(({ fellowId }) => !stored.includes(fellowId));
          expect((await processWeek(db, week, cohortId)).changedRows).toBe(added.length);
        }
        expect(await decidedRows(db)).toEqual(decided);
        expect(await amountsByHand(db)).toEqual(amounts);
      });
    }),
    { numRuns: 40 },
  );
});

interface Decision {
  week: number;
  by: string;
  fate: string | undefined;
}

async function decide(
  db: Kysely<DB>,
  { cohortId, participantId }: StipendProgramme['memberships'][number],
  { week, by, fate = 'none' }: Decision,
): Promise<void> {
  if (fate === 'none') return;
  const byHand = { stipendAmountCents: 12_300, isAmountSetByHand: true };
  const decision = { approvedBy: by, approvedAt: '2025-09-16T12:00:00Z' };
  const denialReason = fate === 'denied' ? 'Not what was agreed.' : null;
  await db
    .updateTable('stipendEligibility')
    .set(fate === 'amount' ? byHand : { ...decision, paymentStatus: fate, denialReason })
    .where('cohortId', '=', cohortId)
    .where('fellowId', '=', participantId)
    .where('weekNumber', '=', week)
    .execute();
}

const decidedRows = (db: Kysely<DB>) =>
  db.selectFrom('stipendEligibility').selectAll().where('paymentStatus', '<>', 'pending').orderBy('id').execute();

const amountsByHand = (db: Kysely<DB>) =>
  db
    .selectFrom('stipendEligibility')
    .select(['id', 'stipendAmountCents'])
    .where('isAmountSetByHand', '=', true)
    .orderBy('id')
    .execute();

async function undecidedFellows(db: Kysely<DB>, cohortId: string, week: number): Promise<string[]> {
  const rows = await db
    .selectFrom('stipendEligibility')
    .select('fellowId')
    .where('cohortId', '=', cohortId)
    .where('weekNumber', '=', week)
    .where('paymentStatus', '=', 'pending')
    .execute();
  return rows.map(({ fellowId }) => fellowId);
}
