import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createSavedComment,
  deleteSavedComment,
  listSavedComments,
  updateSavedComment,
} from '#contract/saved-comments.ts';
import { deleteUser } from '#contract/user-management.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSavedComment } from '#test/factories/saved-comments.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const words = { title: 'Name the parts', text: '{first name}, name the parts.', isShared: false };

async function staff() {
  const [author, other] = [await buildCoach(server.db), await buildCoach(server.db)];
  const admin = await buildAdmin(server.db);
  const clients = { own: await server.as(author), byOther: await server.as(other), byAdmin: await server.as(admin) };
  const titlesOf = async (client: (typeof clients)['own'], search?: string) =>
    (await client.call(listSavedComments, { query: { search } })).rows.map(({ title }) => title);
  return { author, other, admin, ...clients, titlesOf };
}

test('a comment is saved for oneself, and read by others only once it is shared', async () => {
  const { author, other, own, byOther, byAdmin } = await staff();
  const saved = await own.call(createSavedComment, { body: words });
  expect(saved).toMatchObject({ ...words, isOwn: true, can: { change: true }, authorName: 'Casey Cole' });
  const idsOf = async (client: typeof own) =>
    (await client.call(listSavedComments, { query: {} })).rows.map(({ id }) => id);
  expect(await idsOf(own)).toContain(saved.id);
  for (const client of [byOther, byAdmin]) expect(await idsOf(client)).not.toContain(saved.id);
  const body = { ...words, isShared: true, version: saved.version };
  const told = await toldBy(server, () => own.call(updateSavedComment, { params: { id: saved.id }, body }));
  for (const person of [author, other]) expect(told(person)).toEqual(['comments']);
  const seen = (await byOther.call(listSavedComments, { query: {} })).rows.find(({ id }) => id === saved.id);
  expect(seen).toMatchObject({ isOwn: false, isShared: true, can: { change: false }, authorName: 'Casey Cole' });
  const asAdmin = (await byAdmin.call(listSavedComments, { query: {} })).rows.find(({ id }) => id === saved.id);
  expect(asAdmin?.can.change).toBe(true);
});

test('only the author or an admin changes and removes one, and nobody an unshared one of others', async () => {
  const { author, own, byOther, byAdmin } = await staff();
  const [hidden, shared] = [
    await buildSavedComment(server.db, { ownerId: author.id, isShared: false }),
    await buildSavedComment(server.db, { ownerId: author.id }),
  ];
  const body = { ...words, isShared: true, version: 1 };
  const params = { id: shared.id };
  expect((await byOther.refused(updateSavedComment, { params, body })).problem.detail).toBe(
    'Only its author or an admin changes this comment.',
  );
  expect((await byOther.refused(deleteSavedComment, { params })).status).toBe(403);
  for (const client of [byOther, byAdmin]) {
    expect((await client.refused(updateSavedComment, { params: { id: hidden.id }, body })).status).toBe(404);
    expect((await client.refused(deleteSavedComment, { params: { id: hidden.id } })).status).toBe(404);
  }
  const unshared = await byAdmin.refused(updateSavedComment, { params, body: { ...body, isShared: false } });
  expect(unshared.problem.detail).toBe('Only its author stops sharing a comment. You can remove it.');
  expect(await byAdmin.call(updateSavedComment, { params, body: { ...body, title: ' Better ' } })).toMatchObject({
    title: 'Better',
    isOwn: false,
    version: 2,
  });
  expect((await own.refused(updateSavedComment, { params, body })).problem.code).toBe('stale');
  await byAdmin.call(deleteSavedComment, { params });
  expect((await own.refused(deleteSavedComment, { params })).status).toBe(404);
});

test('of two who change one comment at once, one is told that it has changed', async () => {
  const { author, own, byAdmin } = await staff();
  const { id } = await buildSavedComment(server.db, { ownerId: author.id });
  const answers = await Promise.allSettled(
    [own, byAdmin].map((client, place) =>
      client.call(updateSavedComment, {
        params: { id },
        body: { ...words, title: `By ${place}`, isShared: true, version: 1 },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a participant has none of them, and words without a title or a text are refused', async () => {
  const { own } = await staff();
  const byParticipant = await server.as(await buildParticipant(server.db));
  const { id } = await buildSavedComment(server.db);
  expect((await byParticipant.refused(listSavedComments, { query: {} })).status).toBe(403);
  expect((await byParticipant.refused(createSavedComment, { body: words })).status).toBe(403);
  expect((await byParticipant.refused(deleteSavedComment, { params: { id } })).status).toBe(403);
  for (const missing of [{ title: '  ' }, { text: ' ' }, { title: 'x'.repeat(81) }, { text: 'x'.repeat(4001) }]) {
    expect((await own.refused(createSavedComment, { body: { ...words, ...missing } })).status).toBe(422);
  }
});

test('the own ones come first, each group by title, by pages; a search finds words in title and text', async () => {
  const { author, other, own, titlesOf } = await staff();
  await server.db.deleteFrom('savedComments').execute();
  for (let number = 10; number < 70; number += 1) {
    const ownerId = number % 2 === 0 ? author.id : other.id;
    await buildSavedComment(server.db, { ownerId, title: `Comment ${number}`, commentText: `Text ${number}` });
  }
  await buildSavedComment(server.db, { ownerId: author.id, title: 'Résumé of the load', commentText: 'In words.' });
  const rows = [];
  let cursor: string | undefined;
  do {
    const page = await own.call(listSavedComments, { query: { cursor } });
    rows.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(rows.map(({ isOwn }) => isOwn)).toEqual([...Array(31).fill(true), ...Array(30).fill(false)]);
  const titles = rows.map(({ title }) => title);
  expect(titles.slice(0, 31)).toEqual(titles.slice(0, 31).toSorted());
  expect(new Set(rows.map(({ id }) => id)).size).toBe(61);
  expect(await titlesOf(own, 'load resume')).toEqual(['Résumé of the load']);
  expect(await titlesOf(own, 'text 33')).toEqual(['Comment 33']);
});

test("a deleted author's own comments go, and the shared ones stay without a name, for admins to change", async () => {
  const { author, byOther, byAdmin } = await staff();
  const hidden = await buildSavedComment(server.db, { ownerId: author.id, isShared: false });
  const { id } = await buildSavedComment(server.db, { ownerId: author.id, title: 'Stays' });
  await byAdmin.call(deleteUser, { params: { id: author.id } });
  const left = await server.db.selectFrom('savedComments').select(['id', 'ownerId']).execute();
  expect(left.map((row) => row.id)).not.toContain(hidden.id);
  expect(left).toContainEqual({ id, ownerId: null });
  const [seen] = (await byOther.call(listSavedComments, { query: { search: 'Stays' } })).rows;
  expect(seen).toMatchObject({ id, authorName: null, isOwn: false, can: { change: false } });
  const body = { ...words, isShared: true, version: 1 };
  expect((await byOther.refused(updateSavedComment, { params: { id }, body })).status).toBe(403);
  expect((await byAdmin.call(updateSavedComment, { params: { id }, body })).authorName).toBeNull();
});
