import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
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
  for (const { id } of people) await buildSubmission(db, { assignmentId: assignment.id, userId: id });
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

test('people and work whose lines are missing are counted again', async () => {
  const { db } = server;
  await buildSubmission(db, { assignmentId: (await buildAssignment(db)).id, userId: (await buildParticipant(db)).id });
  await sql`delete from tallies`.execute(db);
  expect(await differences(db)).not.toEqual([]);
  await countAnew(db);
  expect(await differences(db)).toEqual([]);
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

class TakenBack extends Error {}

interface Turn {
  turn: number;
  assignment: { id: string };
  person: { id: string };
  coach: { id: string };
}

async function writeSomething(db: Db, { turn, assignment, person, coach }: Turn): Promise<void> {
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
        .set({ submittedAt: new Date(Date.now() - turn * 3_600_000) })
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
  ];
  await writes[turn % writes.length]?.();
  if (turn % 5 === 4) throw new TakenBack('This is taken back.');
}

/** Where the lines do not sum up to what is counted. */
async function differences(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select what, part, hour, sum(change) from (
      select what, part, hour, change from tallies
      union all
      select what, part, hour, -change from counted_anew) compared
    group by what, part, hour having sum(change) <> 0`.execute(db);
  return rows;
}
