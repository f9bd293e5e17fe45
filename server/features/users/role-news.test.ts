import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '#contract/roles.ts';
import { deleteUser, readUser, updateUser } from '#contract/user-management.ts';
import { approveRoleRequest } from '#contract/users.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { jobsAreDone, mailsTo } from '#test/support/sign-in.ts';

let server: TestApp;
let actor: BuiltPerson;
let otherAdmin: BuiltPerson;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  actor = await buildAdmin(server.db);
  otherAdmin = await buildAdmin(server.db);
  admin = await server.as(actor);
});
afterAll(() => server.close());

async function giveRole(id: string, role: Role) {
  const { version } = await admin.call(readUser, { params: { id } });
  await admin.call(updateUser, { params: { id }, body: { role, version } });
}

async function buildPair() {
  const [coach, participant] = [await buildCoach(server.db), await buildParticipant(server.db)];
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  return { coach, participant };
}

test('the people whom another role concerns read again: all admins, and the other side of the coaching that ends; nobody else', async () => {
  const bystander = await buildPair();
  const ends = [(id: string) => giveRole(id, 'admin'), (id: string) => admin.call(deleteUser, { params: { id } })];
  for (const end of ends) {
    const [ofCoach, ofParticipant] = [await buildPair(), await buildPair()];
    const coachGoes = await toldBy(server, () => end(ofCoach.coach.id));
    expect(coachGoes(ofCoach.participant)).toEqual(expect.arrayContaining(['coaches', 'people']));
    const participantGoes = await toldBy(server, () => end(ofParticipant.participant.id));
    expect(participantGoes(ofParticipant.coach)).toEqual(expect.arrayContaining(['coaches', 'people']));
    for (const told of [coachGoes, participantGoes]) {
      for (const reader of [actor, otherAdmin]) expect(told(reader)).toEqual(expect.arrayContaining(['people']));
      for (const other of Object.values(bystander)) expect(told(other)).toEqual([]);
    }
  }
});

test('a person who asked for a role reads who they are again once it is decided, and all admins what they count', async () => {
  const applicant = await buildParticipant(server.db);
  for (const table of ['profiles', 'auth.user'] as const) {
    await server.db.updateTable(table).set({ requestedRole: 'coach' }).where('id', '=', applicant.id).execute();
  }
  const told = await toldBy(server, () =>
    admin.call(approveRoleRequest, { params: { id: applicant.id }, body: { requestedRole: 'coach' } }),
  );
  expect(told(applicant)).toContain('people');
  for (const reader of [actor, otherAdmin]) expect(told(reader)).toEqual(expect.arrayContaining(['people']));
});

test('a person who gets several roles in a row is told of the one that they have, in the product and by mail', async () => {
  const { id, email } = await buildParticipant(server.db);
  await giveRole(id, 'admin');
  await giveRole(id, 'coach');
  const told = await toldBy(server, async () => {
    const jobs = await server.runJobs();
    await jobsAreDone(server.db, 'tell-role-change');
    await jobs.stop();
  });
  expect(told({ id })).toEqual(['notices', 'people']);
  const notices = server.db.selectFrom('notices').select('title').where('userId', '=', id);
  expect(await notices.execute()).toEqual([{ title: 'You are a coach now' }]);
  expect((await mailsTo(server.db, email)).map(({ subject }) => subject)).toEqual(['You are a coach now']);
});
