import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processBulkInvitations, syncAuthProfiles } from '#contract/documented-functions.ts';
import { readImport } from '#contract/import-results.ts';
import { readConversation } from '#contract/messages.ts';
import { renewStipendPayee } from '#contract/payments.ts';
import { readStipend } from '#contract/stipends.ts';
import { deleteUser, listUsers, readUser, updateUser } from '#contract/user-management.ts';
import { tellOfSession } from '#server/features/coaching/session-notices.ts';
import { tellOfAssignment } from '#server/features/cohorts/enrolment-notices.ts';
import { sendMessage } from '#server/features/messages/messages.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import type { Actor } from '#server/platform/actor.ts';
import { newId } from '#server/platform/ids.ts';
import { mailSignInOf } from '#server/sign-in/password-links.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { bulkRecordFor } from '#test/factories/imports.ts';
import { buildMessage } from '#test/factories/messages.ts';
import { buildNotice } from '#test/factories/notices.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { buildStoredFile } from '#test/factories/stored-files.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { buildUserFile } from '#test/factories/user-files.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { jobsAreDone, sessionOf, signInWith } from '#test/support/sign-in.ts';
import { confirmSecondFactor } from '#test/support/sign-in-ways.ts';

let server: TestApp;
let actor: BuiltPerson;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  actor = await buildAdmin(server.db);
  admin = await server.as(actor);
});
afterAll(() => server.close());

const actorOf = (person: BuiltPerson) => ({ ...person, sessionId: 'none' }) as unknown as Actor;
const remove = (id: string) => admin.call(deleteUser, { params: { id } });
const profileOf = (id: string) =>
  server.db.selectFrom('profiles').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('USER-17 USER-20 a deleted person is out at once, stays out through a sync, and leaves the list', async () => {
  const person = {
    email: 'mona@people.example',
    firstName: 'Mona',
    lastName: 'Moss',
    role: 'participant' as const,
    trackType: null,
    password: 'Turbine-7-hall',
  };
  const id = await createSignInWithPassword(server.db, person);
  const { cookie, status } = await signInWith(server, person.email, person.password);
  expect(status).toBe(200);

  await remove(id);
  expect((await sessionOf(server, { cookie })).user).toBeNull();
  expect((await signInWith(server, person.email, person.password)).status).toBe(401);
  expect((await admin.call(syncAuthProfiles)).results.createdProfiles).toBe(0);
  expect((await admin.call(listUsers, { query: {} })).rows.map((row) => row.id)).not.toContain(id);
  expect((await admin.refused(readUser, { params: { id } })).status).toBe(404);
  expect((await admin.refused(deleteUser, { params: { id } })).status).toBe(404);
  const trail = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', id).execute();
  expect(trail).toMatchObject([{ action: 'user.delete', actorId: actor.id, before: { role: 'participant' } }]);

  const again = await createSignInWithPassword(server.db, person);
  expect(again).not.toBe(id);
});

test('USER-19 SEC-03 nobody deletes themself, nor may anybody but an admin delete', async () => {
  const { status, problem } = await admin.refused(deleteUser, { params: { id: actor.id } });
  expect([status, problem.detail]).toEqual([409, 'You cannot delete your own account. Another admin can.']);
  expect((await profileOf(actor.id)).deletedAt).toBeNull();
  const victim = await buildParticipant(server.db);
  for (const person of [victim, await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    expect((await client.refused(deleteUser, { params: { id: victim.id } })).status).toBe(403);
  }
  expect(await profileOf(victim.id)).toEqual(victim);
  expect((await admin.refused(deleteUser, { params: { id: newId() } })).status).toBe(404);
});

test('passkeys and the second factor of a deleted person go, and that is told', async () => {
  const { id } = await buildParticipant(server.db);
  await confirmSecondFactor(server.db, id);
  const passkey = { userId: id, credentialId: newId(), publicKey: Buffer.from('key'), name: 'Phone' };
  await server.db.insertInto('auth.passkey').values(passkey).execute();
  const news = await toldBy(server, () => remove(id));
  expect(news({ id })).toContain('ways-in');
  for (const table of ['auth.passkey', 'auth.secondFactor'] as const) {
    expect(await server.db.selectFrom(table).select('userId').where('userId', '=', id).execute()).toEqual([]);
  }
});

test('of two admins who delete each other at once, one stays', async () => {
  const lonely = await startTestApp();
  const [one, other] = [await buildAdmin(lonely.db), await buildAdmin(lonely.db)];
  const [oneClient, otherClient] = [await lonely.as(one), await lonely.as(other)];
  const doomed = [
    [oneClient, other],
    [otherClient, one],
  ] as const;
  await Promise.all(doomed.map(([client, { id }]) => client.fetch(`/api/users/${id}`, { method: 'DELETE' })));
  const { rows } = await sql`select from profiles where role = 'admin' and deleted_at is null`.execute(lonely.db);
  expect(rows).toHaveLength(1);
  await lonely.close();
});

test('what is a participant’s alone is erased; payments, reviewed work and messages others have stay under another name', async () => {
  const { db } = server;
  const cohort = await buildCohort(db);
  const coach = await buildCoach(db);
  const person = await buildParticipant(db, {
    firstName: 'Zanzibar',
    lastName: 'Zero',
    email: 'zanzibar@people.example',
  });
  await db
    .updateTable('profiles')
    .set({ phone: '+1 555 0100', phoneConfirmedAt: new Date() })
    .where('id', '=', person.id)
    .execute();
  await enrol(db, { cohortId: cohort.id, participantId: person.id, coachId: coach.id });
  const activity = await buildActivity(db, { cohortId: cohort.id, weekNumber: 1, sessionDate: '2025-09-09' });
  const assignment = await buildAssignment(db, { trainingActivityId: activity.id });
  const work = await buildStoredFile(db, { ownerId: person.id });
  await db.updateTable('storedFiles').set({ displayName: 'zanzibar-cv.pdf' }).where('id', '=', work.id).execute();
  await buildSubmission(db, { assignmentId: assignment.id, userId: person.id, filePath: work.path });
  await buildUserFile(db, { userId: person.id, displayName: 'zanzibar-private.txt' });
  await buildNotice(db, { userId: person.id });
  await buildMessage(db, person, coach, { message: 'Thank you for your help.' });
  const facts = { fellowId: person.id, cohortId: cohort.id };
  const stipend = await buildStipend(db, { ...facts, paymentStatus: 'approved' });
  await buildStipend(db, { ...facts, weekNumber: 2 });
  await admin.call(updateUser, {
    params: { id: person.id },
    body: { lastName: 'Zanzibarian', version: (await admin.call(readUser, { params: { id: person.id } })).version },
  });
  const { version } = await admin.call(readStipend, { params: { id: stipend.id } });
  await admin.call(renewStipendPayee, { params: { id: stipend.id }, body: { version } });
  const refused = bulkRecordFor(cohort, { email: 'Zanzibar@people.example' });
  const jobs = await server.runJobs();
  const { import_id: importId } = await admin.call(processBulkInvitations, {
    body: { records: [refused, bulkRecordFor(cohort, { coach_email: person.email })], filename: 'people.csv' },
  });
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  const session = await buildCoachingSession(db, { coachId: coach.id, participantId: person.id, scheduledAt });

  await remove(person.id);
  await jobsAreDone(db, 'remove-files-of-person');
  await jobsAreDone(db, 'cancel-sessions-of-person');
  await jobs.stop();

  expect(await profileOf(person.id)).toMatchObject({
    firstName: 'Deleted',
    lastName: 'user',
    email: `deleted-${person.id}@deleted.invalid`,
    phone: null,
    trackType: null,
  });
  const files = await db.selectFrom('storedFiles').select('displayName').where('ownerId', '=', person.id).execute();
  expect(files).toEqual([{ displayName: 'Removed file' }]);
  const left = async (table: 'userFiles' | 'notices' | 'deliveries', column: string) =>
    (await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${person.id}`.execute(db)).rows.length;
  expect([
    await left('userFiles', 'userId'),
    await left('notices', 'userId'),
    await left('deliveries', 'recipientId'),
  ]).toEqual([0, 0, 0]);
  const members = await db.selectFrom('cohorts').select('currentEnrollment').where('id', '=', cohort.id).execute();
  expect(members).toEqual([{ currentEnrollment: 0 }]);
  const cancelled = await db.selectFrom('coachingSessions').select('status').where('id', '=', session.id).execute();
  expect(cancelled).toEqual([{ status: 'cancelled' }]);
  const decided = db.selectFrom('stipendEligibility').select(['id', 'payeeName', 'payeeEmail']);
  expect(await decided.where('fellowId', '=', person.id).execute()).toEqual([
    { id: stipend.id, payeeName: 'Deleted user', payeeEmail: `deleted-${person.id}@deleted.invalid` },
  ]);
  const trail = db.selectFrom('auditLog').select(['actorId', 'before', 'after']).orderBy('id');
  expect(await trail.where('subjectId', '=', person.id).where('action', '=', 'user.update').execute()).toEqual([
    { actorId: actor.id, before: { lastName: 'erased' }, after: { lastName: 'erased' } },
  ]);
  expect(await trail.where('action', '=', 'stipend.renew_payee').execute()).toMatchObject([
    { before: { name: 'erased', email: 'erased' }, after: { name: 'erased', stipendId: stipend.id } },
  ]);
  expect(await trail.where('subjectId', '=', session.id).execute()).toMatchObject([{ actorId: actor.id }]);
  const { errorReport } = await admin.call(readImport, { params: { id: importId ?? '' } });
  expect(errorReport.map(({ error }) => error)).toEqual([
    'An account with this email already exists',
    'No coach has the email that was deleted',
  ]);

  const thread = await (await server.as(coach)).call(readConversation, { params: { id: person.id }, query: {} });
  expect(thread.messages).toMatchObject([{ text: 'Thank you for your help.', senderName: 'Deleted user' }]);
  await expectForgotten(['zanzibar', 'Zanzibar', '555 0100']);
});

test('what others were told of a deleted person forgets name and address; nothing is sent again, and the other side keeps the rest', async () => {
  const { db } = server;
  // The coach's address ends with that of the participant.
  const coach = await buildCoach(db, { email: 'kept-quokka@people.example' });
  const named = { firstName: 'Quill"o', lastName: "O'Quokka, Jr", email: 'quokka@people.example' };
  const person = await buildParticipant(db, named);
  const { id: cohortId } = await buildCohort(db);
  await enrol(db, { cohortId, participantId: person.id, coachId: coach.id });
  await tellOfAssignment(db, [person], coach);
  await sendMessage(db, actorOf(person), { recipientId: coach.id, text: 'Thank you.' });
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  const session = await buildCoachingSession(db, { coachId: coach.id, participantId: person.id, scheduledAt });
  await tellOfSession(db, session.id, { kind: 'booked', by: 'participant' });
  const states = () =>
    db
      .selectFrom('deliveries')
      .select(['id', 'status', 'attempts', 'sentAt', 'createdAt', 'calendarMethod'])
      .where('recipientId', '=', coach.id)
      .orderBy('id')
      .execute();
  await decideDueNotices(server.app);
  const before = await states();
  expect(before).toHaveLength(3);
  await tellOfSession(db, session.id, { kind: 'moved', by: 'participant', from: new Date(scheduledAt) });

  await remove(person.id);
  await expectForgotten(['Quill', 'Quokka', 'mailto:quokka@', '"quokka@']);
  expect(await states()).toEqual(before);
  const told = await db.selectFrom('notices').select('message').where('userId', '=', coach.id).orderBy('id').execute();
  expect(told.map(({ message }) => message)).toEqual([
    'Deleted user is with you now.',
    'Deleted user: Thank you.',
    expect.stringMatching(/^Deleted user booked a session on /),
    expect.stringMatching(/^Deleted user moved the session from /),
  ]);
  const invitation = await db
    .selectFrom('deliveries')
    .select('calendarText')
    .where('recipientId', '=', coach.id)
    .where('calendarMethod', '=', 'REQUEST')
    .executeTakeFirstOrThrow();
  expect(invitation.calendarText).toContain(`UID:session-${session.id}@switchyard\r\n`);
  expect(invitation.calendarText).toContain('SUMMARY:Coaching session with Deleted user\r\n');
  expect(invitation.calendarText).toContain(`mailto:${coach.email}\r\n`);
});

test('what was written about sessions of a deleted person is erased; that they took place, and how they ended, stays', async () => {
  const { db } = server;
  const coach = await buildCoach(db);
  const person = await buildParticipant(db, { firstName: 'Xanthe' });
  const about = 'Xanthe has no heating';
  const ended = [
    { status: 'completed', notes: about, agenda: about },
    { status: 'no_show', noShowReason: about, notes: about },
    { status: 'cancelled', cancelReason: `Cancelled by coach: ${about}` },
  ];
  for (const [day, facts] of ended.entries()) {
    const both = { coachId: coach.id, participantId: person.id, scheduledAt: `2026-01-0${day + 1}T15:00:00Z` };
    await buildCoachingSession(db, { ...both, ...facts });
  }
  await remove(person.id);
  await expectForgotten(['Xanthe']);
  const left = await db
    .selectFrom('coachingSessions')
    .select(['status', 'cancelReason', 'notes'])
    .where('participantId', '=', person.id)
    .orderBy('scheduledAt')
    .execute();
  expect(left).toEqual([
    { status: 'completed', cancelReason: null, notes: null },
    { status: 'no_show', cancelReason: null, notes: null },
    { status: 'cancelled', cancelReason: 'Cancelled by coach', notes: null },
  ]);
});

/** These tables keep a row of a deleted person. It only says that there was one. */
const stays = ['bulk_import_rows', 'last_sign_ins'];

test('every table that can hold a person is empty of a deleted one, or is named here', async () => {
  const { db } = server;
  const person = await buildParticipant(db, {
    firstName: 'Quillon',
    lastName: 'Quist',
    email: 'quillon@people.example',
  });
  const { id } = person;
  await db
    .updateTable('profiles')
    .set({ phone: '+12125550177', phoneConfirmedAt: new Date() })
    .where('id', '=', id)
    .execute();
  const { id: assignmentId } = await buildAssignment(db, { trainingActivityId: (await buildActivity(db, {})).id });
  const { id: submissionId } = await buildSubmission(db, { assignmentId, userId: (await buildParticipant(db)).id });
  const words = 'Words of Quillon';
  await server.as(person);
  const seeds = [
    sql`insert into notice_events (user_id, kind, category, facts, event_key, due_at)
      values (${id}, 'note', 'coach_messages', ${JSON.stringify({ title: words, message: words, link: null })}, 'q', now())`,
    sql`insert into notices (user_id, kind, title) values (${id}, 'note', ${words})`,
    sql`insert into deliveries (kind, recipient_id, address, subject, text_body) values ('note', ${id}, ${person.email}, ${words}, ${words})`,
    sql`insert into push_subscriptions (user_id, endpoint, p256dh, auth_secret) values (${id}, 'https://push.example/q', 'k', 'k')`,
    sql`insert into notification_preferences (user_id) values (${id})`,
    sql`insert into saved_filters (owner_id, list, name, search) values (${id}, 'users', ${words}, '{}')`,
    sql`insert into saved_filters (owner_id, list, name, search)
      values (${actor.id}, 'users', 'Theirs', ${JSON.stringify({ search: person.email.toUpperCase() })})`,
    sql`insert into calendar_feeds (user_id, token_hash, encrypted_token) values (${id}, 'quillon', 'x')`,
    sql`insert into assignment_drafts (assignment_id, user_id, draft_text) values (${assignmentId}, ${id}, ${words})`,
    sql`insert into review_drafts (submission_id, reviewer_id, round_number, review_status, feedback) values (${submissionId}, ${id}, 1, 'accepted', ${words})`,
    sql`insert into review_claims (submission_id, reviewer_id, expires_at) values (${submissionId}, ${id}, now() + interval '1 day')`,
    sql`insert into coach_availability (coach_id, week_start_date, day_of_week, start_time, end_time) values (${id}, '2026-02-01', 1, '10:00', '11:00')`,
    sql`insert into coach_leave (coach_id, starts_on, ends_on, note) values (${id}, '2026-02-01', '2026-02-02', ${words})`,
    sql`with upload as (
        insert into bulk_imports (filename, total_records, created_by) values ('people.csv', 1, ${actor.id}) returning id
      )
      insert into bulk_import_rows (import_id, row_number, record, status, user_id)
      select id, 1, ${JSON.stringify({ email: person.email })}::jsonb, 'succeeded', ${id} from upload`,
    sql`insert into uploads_by_day (owner_id, day, files, bytes) values (${id}, '2026-02-01', 1, 1)`,
    sql`insert into auth.verification (identifier, value, expires_at) values
      (${`phone-code:${id}`}, '+12125550177 hash', now() + interval '1 hour'),
      (${`email-change:${id}:x`}, 'quillon-new@people.example', now() + interval '1 hour'),
      (${mailSignInOf(id)}, 'hash', now() + interval '1 hour')`,
  ];
  const failures: string[] = [];
  for (const seed of seeds) await seed.execute(db).catch((error: Error) => failures.push(error.message));
  expect(failures).toEqual([]);
  await remove(id);
  await expectForgotten(['Quillon', 'quillon', '2125550177']);
  const columns = await sql<{ name: string; column: string }>`
    select conrelid::regclass::text as name, attname as column
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid in ('profiles'::regclass, 'auth."user"'::regclass)`.execute(db);
  const left = new Set<string>();
  for (const { name, column } of columns.rows) {
    const { rows } = await sql`select from ${sql.raw(name)} where ${sql.ref(column)} = ${id} limit 1`.execute(db);
    if (rows.length > 0) left.add(name);
  }
  expect([...left].sort()).toEqual(stays);
  const signedIn = db
    .selectFrom('lastSignIns')
    .select(sql<string>`signed_in_at::text`.as('at'))
    .where('userId', '=', id);
  expect(await signedIn.execute()).toEqual([{ at: '-infinity' }]);
  const codes = sql`select identifier from auth.verification where strpos(identifier, ${id}) > 0`;
  expect((await codes.execute(db)).rows).toEqual([]);
});

/** No table of the product holds them, whatever it is called. */
async function expectForgotten(signs: string[]): Promise<void> {
  const tables = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'auth')`.execute(server.db);
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`
      select row::text from (select to_jsonb(t) as row from ${sql.raw(name)} t) as rows`.execute(server.db);
    for (const sign of signs) expect(rows.map(({ row }) => row).join('\n'), `${sign} in ${name}`).not.toContain(sign);
  }
}

test('a person who was coached by a deleted coach waits for another one', async () => {
  const { db } = server;
  const coach = await buildCoach(db);
  const participant = await buildParticipant(db);
  const cohort = await buildCohort(db);
  await enrol(db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  await remove(coach.id);
  expect(await admin.call(readUser, { params: { id: participant.id } })).toMatchObject({
    coach: null,
    cohorts: [{ id: cohort.id }],
  });
  const trail = await db.selectFrom('auditLog').selectAll().where('subjectId', '=', participant.id).execute();
  expect(trail).toMatchObject([
    { actorId: actor.id, action: 'coach.unassign', before: { coachId: coach.id }, after: { coachId: null } },
  ]);
  const queued = await sql<{ data: { personId: string } }>`
    select data from pgboss.job where name = 'remove-files-of-person'`.execute(db.withoutPlugins());
  expect(queued.rows.map(({ data }) => data.personId)).toContain(coach.id);
});
