import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { badlyRated, buildStipend, judgedWeek } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';
import { countAnew } from './tallies.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('the tallies are what is counted, whatever is written while they are counted anew', async () => {
  const { db } = server;
  const coach = await buildCoach(db);
  const people = [await buildParticipant(db), await buildParticipant(db), await buildParticipant(db)];
  const assignment = await buildAssignment(db);
  for (const { id } of people) {
    await buildSubmission(db, { assignmentId: assignment.id, userId: id });
    await buildStipend(db, { fellowId: id });
  }
  const write = async (turn: number) => {
    const person = people[turn % people.length];
    if (!person) throw new Error('There is nobody.');
    await db
      .transaction()
      .execute((transaction) => writeSomething(transaction, { turn, assignment, person, coach }))
      .catch((error: unknown) => {
        if (!(error instanceof TakenBack)) throw error;
      });
  };
  const turns = sizeOf({ usual: 60, deep: 600 });
  for (let turn = 0; turn < turns; turn += 6) {
    await Promise.all([...Array.from({ length: 6 }, (_, place) => write(turn + place)), countAnew(db)]);
    expect(await differences(db)).toEqual([]);
  }
});

test('people, work and stipends whose lines are missing are counted again', async () => {
  const { db } = server;
  await buildStipend(db, badlyRated);
  await buildSubmission(db, { assignmentId: (await buildAssignment(db)).id, userId: (await buildParticipant(db)).id });
  await sql`delete from tallies`.execute(db);
  expect(await differences(db)).not.toEqual([]);
  await countAnew(db);
  expect(await differences(db)).toEqual([]);
});

test('hours that are longer ago than a week become one, of work that waits and of all', async () => {
  const { db } = server;
  const assignment = await buildAssignment(db);
  const coach = await buildCoach(db);
  const daysAgo = [1, 20, 21, 21.5];
  const people = await Promise.all(daysAgo.map(() => buildParticipant(db)));
  for (const [place, { id: userId }] of people.entries()) {
    const submittedAt = new Date(Date.now() - (daysAgo[place] ?? 0) * 86_400_000);
    const { id } = await buildSubmission(db, { assignmentId: assignment.id, userId });
    await db.updateTable('contentSubmissions').set({ submittedAt }).where('id', '=', id).execute();
  }
  await countAnew(db);
  const old = () =>
    db
      .selectFrom('tallies')
      .select([
        'what',
        sql<number>`sum(change)`.as('change'),
        sql<number>`count(*) filter (where change > 0)`.as('lines'),
      ])
      .where('what', 'in', ['work', 'waiting'])
      .where('hour', '<', sql<Date>`now() - interval '8 days'`)
      .groupBy('what')
      .orderBy('what')
      .execute();
  const before = await old();
  expect(before.map(({ what, lines }) => [what, lines])).toEqual([
    ['waiting', 1],
    ['work', 1],
  ]);
  await db
    .updateTable('contentSubmissions')
    .set({ status: 'accepted', reviewedBy: coach.id, reviewedAt: new Date() })
    .where('userId', '=', people[1]?.id ?? '')
    .execute();
  const [waiting, work] = await old();
  expect([waiting?.change, work?.change]).toEqual([(before[0]?.change ?? 0) - 1, before[1]?.change]);
});

test('many lines become one, and what nobody wrote becomes none', async () => {
  const { db } = server;
  for (let number = 0; number < 5; number += 1) await buildParticipant(db, { trackType: 'self_learner' });
  const lines = () =>
    db.selectFrom('tallies').selectAll().where('part', '=', 'participant self_learner').orderBy('id').execute();
  const before = await lines();
  expect(before.length).toBeGreaterThanOrEqual(5);
  await countAnew(db);
  expect((await lines()).map(({ change }) => change)).toEqual([before.reduce((sum, { change }) => sum + change, 0)]);
});

test('a statement that writes a whole week adds one line for each standing', async () => {
  const { db } = server;
  const weekNumber = 9;
  for (let number = 0; number < 5; number += 1) await buildStipend(db, { weekNumber });
  await countAnew(db);
  await db
    .updateTable('stipendEligibility')
    .set({ stipendAmountCents: 700 })
    .where('weekNumber', '=', weekNumber)
    .execute();
  const lines = await db
    .selectFrom('tallies')
    .select(['what', 'change'])
    .where('part', '=', `${weekNumber} pending eligible`)
    .orderBy('id')
    .execute();
  expect(lines.slice(-1)).toEqual([{ what: 'stipend cents', change: 5 * (700 - 50_000) }]);
  expect(lines).toHaveLength(3);
  expect(await differences(db)).toEqual([]);
});

class TakenBack extends Error {}

interface Turn {
  turn: number;
  assignment: { id: string };
  person: { id: string };
  coach: { id: string };
}

async function writeSomething(db: Db, { turn, assignment, person, coach }: Turn): Promise<void> {
  const ofStipend = () =>
    db.updateTable('stipendEligibility').where('fellowId', '=', person.id).where('paymentStatus', '=', 'pending');
  const ofPerson = () => db.updateTable('contentSubmissions').where('userId', '=', person.id);
  const writes = [
    async () => {
      await buildSubmission(db, { assignmentId: assignment.id, userId: (await buildParticipant(db)).id });
    },
    () => ofPerson().set({ status: 'accepted', reviewedBy: coach.id, reviewedAt: new Date() }).execute(),
    () => buildParticipant(db),
    () => db.updateTable('profiles').set({ trackType: 'self_learner' }).where('id', '=', person.id).execute(),
    () =>
      ofPerson()
        .set({ submittedAt: new Date(Date.now() - (turn % 150) * 3_600_000) })
        .execute(),
    async () => {
      const { id: userId } = await buildParticipant(db);
      await db
        .insertInto('contentSubmissions')
        .values({ assignmentId: assignment.id, userId, submissionText: 'Drawn.' })
        .execute();
      await db.deleteFrom('contentSubmissions').where('userId', '=', userId).execute();
    },
    () => db.updateTable('profiles').set({ firstName: 'Ana' }).where('id', '=', person.id).execute(),
    () => buildStipend(db, { weekNumber: 1 + (turn % 3), stipendAmountCents: turn * 100 }),
    () =>
      ofStipend()
        .set({ stipendAmountCents: 100 * (turn + 1) })
        .execute(),
    () =>
      ofStipend()
        .set({ ...judgedWeek(turn % 2 === 0 ? badlyRated : {}) })
        .execute(),
    () =>
      ofStipend()
        .set({ paymentStatus: 'denied', approvedAt: new Date(), approvedBy: coach.id, denialReason: 'No.' })
        .execute(),
    async () => {
      const { id } = await buildStipend(db, { weekNumber: 4 });
      await db.deleteFrom('stipendEligibility').where('id', '=', id).execute();
    },
  ];
  await writes[turn % writes.length]?.();
  if (turn % 5 === 4) throw new TakenBack('This is taken back.');
}

/** Where the lines do not sum up to what is counted. Hours of longer ago than a week are one. */
async function differences(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select what, part, shown, sum(change) from (
      select what, part, hour, change from tallies
      union all
      select what, part, hour, -change from counted_anew) compared,
    lateral (select case when hour < now() - interval '8 days' then '-infinity' else hour end as shown) folded
    group by what, part, shown having sum(change) <> 0`.execute(db);
  return rows;
}
