import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requestPasswordReset } from '#contract/accounts.ts';
import { actHeader, changedFactsHeader, facts } from '#contract/facts.ts';
import { changeOwnNames } from '#contract/own-details.ts';
import { approveWeek } from '#contract/stipends.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { openStream } from '#test/support/live-stream.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
import { changed } from './telling.ts';
import { inTransaction } from './transactions.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function buildPair() {
  const [coach, participant] = [await buildCoach(server.db), await buildParticipant(server.db)];
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  return { coach, participant };
}

test('after a bulk approval another admin, the participants and their coaches are told, and nobody else', async () => {
  const [ada, bea] = [await buildAdmin(server.db), await buildAdmin(server.db)];
  const { coach, participant } = await buildPair();
  const bystander = await buildPair();
  const cohort = await buildCohort(server.db);
  await buildStipend(server.db, { fellowId: participant.id, cohortId: cohort.id, weekNumber: 3 });
  const asAda = await server.as(ada);
  const seen = (await figuresOf(asAda, { week: 3 })).pending;
  const open = await openStream(server, bea);
  const told = await toldBy(server, async () =>
    expect(await asAda.call(approveWeek, { body: { weekNumber: 3, seen } })).toMatchObject({ approved: 1 }),
  );
  for (const person of [ada, bea, participant, coach]) expect(told(person)).toContain('stipends');
  for (const person of Object.values(bystander)) expect(told(person)).toEqual([]);
  expect(told(participant)).toContain('notices');
  expect(told(coach)).not.toContain('notices');
  const isTold = () => open.events().some(({ event, data }) => event === 'changed' && data.facts.includes('stipends'));
  await vi.waitFor(() => expect(isTold()).toBe(true));
  open.close();
});

test('the reply to an act names what it changed, of all its transactions, and live news of it name the act', async () => {
  const admin = await buildAdmin(server.db);
  await buildStipend(server.db, { weekNumber: 4 });
  const client = await server.as(admin);
  const seen = (await figuresOf(client, { week: 4 })).pending;
  const act = crypto.randomUUID();
  const open = await openStream(server, admin);
  const answer = await client.fetch(approveWeek.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [actHeader]: act },
    body: JSON.stringify({ weekNumber: 4, seen }),
  });
  expect(answer.status).toBe(200);
  const named = answer.headers.get(changedFactsHeader)?.split(',');
  expect(named).toContain('stipends');
  // Another person's notice is theirs alone to see.
  expect(named).not.toContain('notices');
  await vi.waitFor(() => expect(open.events().map(({ data }) => data.act)).toContain(act));
  open.close();
});

test('a reply to somebody who is not signed in, or may call for any address, names nothing', async () => {
  const person = await buildParticipant(server.db);
  for (const client of [await server.as(null), await server.as(person)]) {
    const answer = await client.fetch(requestPasswordReset.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email }),
    });
    expect([answer.status, answer.headers.get(changedFactsHeader)]).toEqual([200, null]);
  }
});

test('a read names nothing, and an act that fails tells nobody', async () => {
  const person = await buildParticipant(server.db);
  const client = await server.as(person);
  const told = await toldBy(server, async () => {
    const failing = inTransaction(server.db, async (db) => {
      await changed(db, 'files', [person.id]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
  });
  expect(told(person)).toEqual([]);
  expect((await client.fetch('/api/session')).headers.get(changedFactsHeader)).toBeNull();
});

test('a person who renames themself is read anew by those who look after them and by those they look after', async () => {
  const { coach, participant } = await buildPair();
  const bystander = await buildPair();
  const rename = async (person: typeof coach) =>
    (await server.as(person)).call(changeOwnNames, { body: { firstName: 'Quinn' } });
  const ofCoach = await toldBy(server, () => rename(coach));
  expect([ofCoach(participant), ofCoach(bystander.participant)]).toEqual([['people'], []]);
  const ofParticipant = await toldBy(server, () => rename(participant));
  expect([ofParticipant(coach), ofParticipant(bystander.coach)]).toEqual([['people'], []]);
});

test('members of a cohort, everybody, and a thousand people with all facts are told', async () => {
  const cohort = await buildCohort(server.db);
  const [member, other] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const former = await buildParticipant(server.db);
  for (const { id } of [member, former]) await enrol(server.db, { cohortId: cohort.id, participantId: id });
  await server.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn', endedAt: new Date() })
    .where('participantId', '=', former.id)
    .execute();
  const ofMembers = await toldBy(server, () => changed(server.db, 'cohorts', { membersOf: [cohort.id] }));
  expect([ofMembers(member), ofMembers(former), ofMembers(other)]).toEqual([['cohorts'], [], []]);
  const ofAll = await toldBy(server, () => changed(server.db, 'resources', 'everybody'));
  expect(ofAll(other)).toEqual(['resources']);
  const crowd = Array.from({ length: 1000 }, () => crypto.randomUUID());
  const ofCrowd = await toldBy(server, () => changed(server.db, facts, [...crowd, member.id]));
  expect(ofCrowd(member)).toEqual([...facts].sort());
});

test('one act tells of all that it changed, however it says so', async () => {
  const cohort = await buildCohort(server.db);
  const [member, friend, newcomer] = [
    await buildParticipant(server.db),
    await buildParticipant(server.db),
    await buildParticipant(server.db),
  ];
  await enrol(server.db, { cohortId: cohort.id, participantId: member.id });
  const told = await toldBy(server, () =>
    inTransaction(server.db, async (db) => {
      await changed(db, 'messages', [friend.id]);
      await changed(db, 'sessions', [friend.id]);
      await changed(db, 'training', { membersOf: [cohort.id] });
      await changed(db, 'resources', 'everybody');
      await enrol(db, { cohortId: (await buildCohort(db)).id, participantId: newcomer.id });
    }),
  );
  expect(told(friend)).toEqual(['messages', 'resources', 'sessions']);
  expect(told(member)).toEqual(['resources', 'training']);
  expect(told(newcomer)).toEqual(['enrolments', 'progress', 'resources', 'stipends']);
});
