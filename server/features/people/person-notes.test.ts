import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPersonNotes, openPersonNote, removePersonNote, writePersonNote } from '#contract/person-notes.ts';
import { deleteUser } from '#contract/user-management.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildNote } from '#test/factories/person-notes.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function coachedPerson() {
  const { db } = server;
  const [coach, person, admin] = [await buildCoach(db), await buildParticipant(db), await buildAdmin(db)];
  await assignCoach(db, { participantId: person.id, coachId: coach.id });
  const [asCoach, asAdmin, asPerson] = [await server.as(coach), await server.as(admin), await server.as(person)];
  return { coach, person, admin, asCoach, asAdmin, asPerson, ofPerson: { params: { id: person.id } } };
}

test('coach and admins read a note for staff at once, latest first; the person reads none', async () => {
  const { coach, asCoach, asAdmin, asPerson, ofPerson } = await coachedPerson();
  await asCoach.call(writePersonNote, { ...ofPerson, body: { kind: 'staff', text: '  Works nights until May  ' } });
  await asAdmin.call(writePersonNote, { ...ofPerson, body: { kind: 'staff', text: 'Has a new phone' } });
  const { rows } = await asAdmin.call(listPersonNotes, { ...ofPerson, query: {} });
  expect(rows.map(({ text }) => text)).toEqual(['Has a new phone', 'Works nights until May']);
  expect(rows[1]).toMatchObject({ author: { id: coach.id, name: 'Casey Cole' }, can: { remove: true } });
  const { rows: seenByCoach } = await asCoach.call(listPersonNotes, { ...ofPerson, query: {} });
  expect(seenByCoach.map(({ can }) => can.remove)).toEqual([false, true]);
  expect((await asPerson.refused(listPersonNotes, { ...ofPerson, query: {} })).status).toBe(403);
});

test('the text of a restricted note leaves only when it is opened, with a reason that is on record', async () => {
  const { person, coach, asCoach, asAdmin, ofPerson } = await coachedPerson();
  const body = { kind: 'restricted' as const, text: 'Told me about an illness' };
  const { id, text } = await asCoach.call(writePersonNote, { ...ofPerson, body });
  expect(text).toBeNull();
  const list = await asAdmin.call(listPersonNotes, { ...ofPerson, query: {} });
  expect(JSON.stringify(list)).not.toContain('illness');
  const { problem } = await asAdmin.refused(openPersonNote, { params: { id }, body: { reason: ' ' } });
  expect(JSON.stringify(problem)).toContain('Please say why you read it.');
  const opened = await asAdmin.call(openPersonNote, { params: { id }, body: { reason: 'Asked for a leave' } });
  expect(opened.text).toBe('Told me about an illness');
  const entries = await server.db
    .selectFrom('auditLog')
    .select(['action', 'reason', 'after'])
    .where('subjectId', '=', person.id)
    .where('action', '=', 'note.open')
    .execute();
  expect(entries).toEqual([{ action: 'note.open', reason: 'Asked for a leave', after: { authorId: coach.id } }]);
  const log = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', person.id).execute();
  expect(JSON.stringify(log)).not.toContain('illness');
});

test('an author removes an own note, an admin any, and a coach none of others', async () => {
  const { person, coach, admin, asCoach, asAdmin, ofPerson } = await coachedPerson();
  const [own, ofAdmin] = [coach, admin].map(({ id }) => buildNote(server.db, { personId: person.id, authorId: id }));
  const { problem } = await asCoach.refused(removePersonNote, { params: { id: (await ofAdmin)?.id ?? '' } });
  expect(problem.detail).toBe('Only its author or an admin can remove a note.');
  await asCoach.call(removePersonNote, { params: { id: (await own)?.id ?? '' } });
  await asAdmin.call(removePersonNote, { params: { id: (await ofAdmin)?.id ?? '' } });
  expect((await asAdmin.call(listPersonNotes, { ...ofPerson, query: {} })).rows).toEqual([]);
});

test('nobody reads, writes or opens what is noted about themself, an admin neither', async () => {
  const { admin, asAdmin } = await coachedPerson();
  const params = { id: admin.id };
  const note = await buildNote(server.db, {
    personId: admin.id,
    authorId: (await buildAdmin(server.db)).id,
    kind: 'restricted',
  });
  const refusals = await Promise.all([
    asAdmin.refused(listPersonNotes, { params, query: {} }),
    asAdmin.refused(writePersonNote, { params, body: { kind: 'staff', text: 'I am good' } }),
    asAdmin.refused(openPersonNote, { params: { id: note.id }, body: { reason: 'Curious' } }),
    asAdmin.refused(removePersonNote, { params: { id: note.id } }),
  ]);
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 404, 404]);
  await expect(buildNote(server.db, { personId: admin.id, authorId: admin.id })).rejects.toThrow(
    'nobody_notes_about_themself',
  );
});

test('a note stays as it was written, and goes with the person', async () => {
  const { person, coach, asAdmin } = await coachedPerson();
  const { id } = await buildNote(server.db, { personId: person.id, authorId: coach.id });
  const changing = server.db.updateTable('personNotes').set({ note: 'Other' }).where('id', '=', id).execute();
  await expect(changing).rejects.toThrow('person_notes is append-only');
  await asAdmin.call(deleteUser, { params: { id: person.id } });
  const left = await server.db.selectFrom('personNotes').select('id').where('personId', '=', person.id).execute();
  expect(left).toEqual([]);
});

test('a coach who looks after the person no longer reads and removes nothing, not even own notes', async () => {
  const { person, coach, asCoach } = await coachedPerson();
  const { id } = await buildNote(server.db, { personId: person.id, authorId: coach.id, kind: 'restricted' });
  await server.db.updateTable('userCourses').set({ coachId: null }).where('userId', '=', person.id).execute();
  const refusals = await Promise.all([
    asCoach.refused(listPersonNotes, { params: { id: person.id }, query: {} }),
    asCoach.refused(openPersonNote, { params: { id }, body: { reason: 'Mine' } }),
    asCoach.refused(removePersonNote, { params: { id } }),
  ]);
  expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404]);
});
