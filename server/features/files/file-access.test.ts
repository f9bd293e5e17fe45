import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { downloadFile, type UploadArea } from '#contract/files.ts';
import { openingLastsMs } from '#contract/messages.ts';
import type { Actor } from '#server/platform/actor.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClock } from '#test/support/clock.ts';
import { beginUpload, idOf, uploadFile } from '#test/support/uploads.ts';
import { claimUpload, loadFileFor } from './file-access.ts';

let server: TestApp;
let robin: BuiltPerson;
let otherParticipant: BuiltPerson;
let ownCoach: BuiltPerson;
let otherCoach: BuiltPerson;
let admin: BuiltPerson;
beforeAll(async () => {
  server = await startTestApp();
  robin = await buildParticipant(server.db);
  otherParticipant = await buildParticipant(server.db);
  ownCoach = await buildCoach(server.db);
  otherCoach = await buildCoach(server.db);
  admin = await buildAdmin(server.db);
  const course = await server.db
    .insertInto('courses')
    .values({ title: 'Power systems', trackType: 'fellowship' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.db
    .insertInto('userCourses')
    .values({ userId: robin.id, courseId: course.id, coachId: ownCoach.id })
    .execute();
});
afterAll(() => server.close());

describe('who may download what', () => {
  test('SUBM-18 a submitted file is for its owner, every coach and admins, and for no coach before it is handed in', async () => {
    const id = await uploadAs(robin, 'submissions');
    expect(await readersOf(id)).toEqual(['owner', 'admin']);
    await handIn(robin, id);
    expect(await readersOf(id)).toEqual(['owner', 'own coach', 'other coach', 'admin']);
  });

  test('a file of My Files is for its owner, the own coach and admins', async () => {
    const id = await uploadAs(robin, 'my_files');
    expect(await readersOf(id)).toEqual(['owner', 'own coach', 'admin']);
  });

  test('a coach who no longer has the participant no longer has the files', async () => {
    const id = await uploadAs(robin, 'my_files');
    await server.db.updateTable('userCourses').set({ status: 'withdrawn' }).where('userId', '=', robin.id).execute();
    expect(await readersOf(id)).toEqual(['owner', 'admin']);
    await server.db.updateTable('userCourses').set({ status: 'enrolled' }).where('userId', '=', robin.id).execute();
  });

  test('what was sent in a message is for the two people, and for an admin for an hour after opening the conversation', async () => {
    const id = await uploadAs(robin, 'messages');
    expect(await readersOf(id)).toEqual(['owner']);
    const { path } = await server.db
      .selectFrom('storedFiles')
      .select('path')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await server.db
      .insertInto('coachMessages')
      .values({
        senderId: robin.id,
        recipientId: otherCoach.id,
        recipientType: 'coach',
        filePath: path,
      })
      .execute();
    expect(await readersOf(id)).toEqual(['owner', 'other coach']);
    await server.db
      .insertInto('conversationOpenings')
      .values({ adminId: admin.id, coachId: otherCoach.id, participantId: robin.id })
      .execute();
    expect(await readersOf(id)).toEqual(['owner', 'other coach', 'admin']);
    const clock = stopClock();
    clock.pass(openingLastsMs / 1000 + 1);
    expect(await readersOf(id)).toEqual(['owner', 'other coach']);
    clock.restore();
  });

  test('content is for everybody who is signed in', async () => {
    const id = await uploadAs(admin, 'content');
    expect(await readersOf(id)).toEqual(['owner', 'other participant', 'own coach', 'other coach', 'admin']);
  });

  test('nobody downloads signed out, and nobody an upload that is not finished', async () => {
    const id = await uploadAs(admin, 'content');
    const address = downloadFile.path.replace(':id', id);
    expect((await (await server.as(null)).fetch(address)).status).toBe(401);
    await server.db.updateTable('storedFiles').set({ completedAt: null }).where('id', '=', id).execute();
    expect((await (await server.as(admin)).fetch(address)).status).toBe(404);
  });
});

describe('claiming an upload', () => {
  test('SEC-18 only an own, finished upload of the right area is taken', async () => {
    const id = await uploadAs(robin, 'submissions');
    const path = `${robin.id}/${id}`;
    expect(await claimUpload(server.db, actorOf(robin), id, 'submissions')).toMatchObject({ id, path, size: 5 });
    expect(await loadFileFor(server.db, actorOf(robin), { path })).toMatchObject({ id });

    await expect(claimUpload(server.db, actorOf(robin), id, 'my_files')).rejects.toThrow('did not finish');
    await expect(claimUpload(server.db, actorOf(otherParticipant), id, 'submissions')).rejects.toThrow(
      'did not finish',
    );
    const client = await server.as(robin);
    const unfinished = idOf(await beginUpload(client, { area: 'submissions', name: 'later.txt', size: 9 }));
    await expect(claimUpload(server.db, actorOf(robin), unfinished, 'submissions')).rejects.toThrow('did not finish');
  });
});

async function uploadAs(person: BuiltPerson, area: UploadArea): Promise<string> {
  const isContent = area === 'content';
  const file = { area, name: isContent ? 'sheet.pdf' : 'notes.txt' };
  return uploadFile(await server.as(person), file, isContent ? '%PDF-1.7\n%%EOF\n' : 'words');
}

async function handIn(person: BuiltPerson, fileId: string) {
  const activity = await buildActivity(server.db);
  const assignment = await buildAssignment(server.db, { trainingActivityId: activity.id });
  await buildSubmission(server.db, {
    assignmentId: assignment.id,
    userId: person.id,
    filePath: `${person.id}/${fileId}`,
  });
}

async function readersOf(id: string): Promise<string[]> {
  const row = await server.db
    .selectFrom('storedFiles')
    .select('ownerId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const people = [
    ['owner', row.ownerId === admin.id ? admin : robin],
    ['other participant', otherParticipant],
    ['own coach', ownCoach],
    ['other coach', otherCoach],
    ['admin', admin],
  ] as const;
  const answers = await Promise.all(
    people.map(async ([name, person]) => {
      const { status } = await (await server.as(person)).fetch(downloadFile.path.replace(':id', id));
      return { name, status };
    }),
  );
  expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
  return answers.filter(({ status }) => status === 200).map(({ name }) => name);
}

function actorOf({ id, email, firstName, lastName }: BuiltPerson): Actor {
  return { id, email, firstName, lastName, role: 'participant', trackType: null, sessionId: id };
}
