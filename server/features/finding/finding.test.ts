import { afterAll, beforeAll, expect, test } from 'vitest';
import { find, mostFoundOfAKind } from '#contract/finding.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildPair } from '#test/factories/messages.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildResource } from '#test/factories/resources.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const titles = (found: { title: string }[]) => found.map(({ title }) => title);

async function foundBy(client: Client, words: string) {
  const found = await client.call(find, { query: { words } });
  return {
    people: titles(found.people),
    activities: titles(found.activities),
    assignments: titles(found.assignments),
    resources: titles(found.resources),
  };
}

test('people are found by any of their words, whatever accents and order they are typed in', async () => {
  const { db } = server;
  await buildParticipant(db, { firstName: 'Ana', lastName: 'García', email: 'ana.find@example.test' });
  await buildParticipant(db, { firstName: 'Łukasz', lastName: 'Nguyễn' });
  const admin = await server.as(await buildAdmin(db));
  for (const words of ['ana garcia', 'García Ana', 'ana.find@']) {
    expect((await foundBy(admin, words)).people).toEqual(['Ana García']);
  }
  expect((await foundBy(admin, 'nguyen lukasz')).people).toEqual(['Łukasz Nguyễn']);
  expect((await foundBy(admin, 'ana%')).people).toEqual([]);
});

test('one person after another finds by one, two and three words', async () => {
  const { db } = server;
  for (const name of ['Quill', 'Quince', 'Quest']) {
    const names = { firstName: `${name} Mae`, lastName: 'Often' };
    const { coach, participant } = await buildPair(db, { coach: names, participant: names });
    const [asCoach, asParticipant] = await Promise.all([server.as(coach), server.as(participant)]);
    const asAdmin = await server.as(await buildAdmin(db));
    const whole = `${name} Mae Often`;
    for (const words of [name, `often ${name}`, `mae ${name} often`]) {
      expect((await foundBy(asCoach, words)).people).toEqual([whole]);
      expect((await foundBy(asParticipant, words)).people).toEqual([whole]);
      expect((await foundBy(asAdmin, words)).people).toEqual([whole, whole]);
    }
    expect((await foundBy(asAdmin, `${name} nobody`)).people).toEqual([]);
  }
});

test('a person finds the people whom they may write to, and an admin finds everybody who is there', async () => {
  const { db } = server;
  const { coach, participant } = await buildPair(db, {
    coach: { firstName: 'Sibyl', lastName: 'Coaching' },
    participant: { firstName: 'Sibyl', lastName: 'Learning' },
  });
  await buildParticipant(db, { firstName: 'Sibyl', lastName: 'Foreign' });
  const gone = await buildCoach(db, { firstName: 'Sibyl', lastName: 'Gone' });
  await db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', gone.id).execute();
  const found = async (person: Parameters<TestApp['as']>[0]) =>
    (await foundBy(await server.as(person), 'sibyl')).people;
  expect(await found(coach)).toEqual(['Sibyl Learning']);
  expect(await found(participant)).toEqual(['Sibyl Coaching']);
  expect(await found(await buildAdmin(db))).toEqual(['Sibyl Coaching', 'Sibyl Foreign', 'Sibyl Learning']);
});

test('a participant finds what they are taught, and neither another cohort nor what was archived', async () => {
  const { db } = server;
  const own = await buildCohort(db);
  const other = await buildCohort(db);
  const participant = await buildParticipant(db, { trackType: 'fellowship' });
  await enrol(db, { cohortId: own.id, participantId: participant.id });
  const mine = await buildActivity(db, { cohortId: own.id, title: 'Transformer bushings' });
  const theirs = await buildActivity(db, { cohortId: other.id, title: 'Transformer oil' });
  await buildAssignment(db, { trainingActivityId: mine.id, title: 'Test a transformer' });
  await buildAssignment(db, { trainingActivityId: mine.id, title: 'An old transformer', archivedAt: new Date() });
  await buildAssignment(db, { trainingActivityId: theirs.id, title: 'Sample a transformer' });
  await buildResource(db, { title: 'Transformer handbook', program: 'fellowship' });
  await buildResource(db, { title: 'Transformer slides', program: 'self_learner' });
  expect(await foundBy(await server.as(participant), 'TRANSFORMER')).toEqual({
    people: [],
    activities: ['Transformer bushings'],
    assignments: ['Test a transformer'],
    resources: ['Transformer handbook'],
  });
  expect(await foundBy(await server.as(await buildAdmin(db)), 'transformer')).toEqual({
    people: [],
    activities: ['Transformer bushings', 'Transformer oil'],
    assignments: ['Test a transformer', 'Sample a transformer'],
    resources: ['Transformer handbook', 'Transformer slides'],
  });
});

test('titles that begin with what was typed come first, and no kind takes more than its share', async () => {
  const { db } = server;
  await buildResource(db, { title: 'A relay' });
  for (let number = 0; number < mostFoundOfAKind; number += 1) await buildResource(db, { title: `Relay ${number}` });
  const { resources } = await foundBy(await server.as(await buildAdmin(db)), 'relay');
  expect(resources).toEqual(['Relay 0', 'Relay 1', 'Relay 2', 'Relay 3', 'Relay 4']);
});

test('finding takes one statement beside the session, and one letter is too few', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  const statements = await countStatements(server.app.pool, () => admin.call(find, { query: { words: 'relay' } }));
  expect(statements).toBe(2);
  const { problem } = await admin.refused(find, { query: { words: ' a ' } });
  expect(problem.detail).toBe('Type at least 2 letters.');
});
