import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listNotices, markAllNoticesRead, markNoticeRead } from '#contract/notices.ts';
import { buildNotice } from '#test/factories/notices.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('notices come newest first, by pages, each once, and nobody else reads them', async () => {
  const [robin, other] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const createdAt = new Date();
  for (let index = 0; index < 45; index += 1) {
    await buildNotice(server.db, { userId: robin.id, title: `Notice ${index}`, createdAt });
  }
  const client = await server.as(robin);
  const titles: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await client.call(listNotices, { query: { cursor } });
    titles.push(...page.rows.map(({ title }) => title));
    cursor = page.nextCursor ?? undefined;
    pages += 1;
  } while (cursor);
  expect(pages).toBe(3);
  expect([...titles].sort()).toEqual(Array.from({ length: 45 }, (_, index) => `Notice ${index}`).sort());

  const foreign = (await client.call(listNotices, { query: {} })).nextCursor ?? '';
  const asOther = await server.as(other);
  expect((await asOther.call(listNotices, { query: {} })).rows).toEqual([]);
  expect((await asOther.call(listNotices, { query: { cursor: foreign } })).rows).toEqual([]);
});

test('one notice is marked as read, or all up to the newest one seen; the count and other browsers follow', async () => {
  const robin = await buildParticipant(server.db);
  const client = await server.as(robin);
  const first = await buildNotice(server.db, { userId: robin.id, createdAt: new Date(Date.now() - 3000) });
  const second = await buildNotice(server.db, { userId: robin.id, createdAt: new Date(Date.now() - 2000) });
  const later = await buildNotice(server.db, { userId: robin.id, createdAt: new Date(Date.now() - 1000) });
  const unread = async () => (await client.call(readSession)).unreadNotices;
  const marks = async () => (await client.call(listNotices, { query: {} })).rows.map(({ isRead }) => isRead);
  expect(await unread()).toBe(3);

  const told = await toldBy(server, () => client.call(markNoticeRead, { params: { id: first.id } }));
  expect(told(robin)).toEqual(['notices']);
  expect([await unread(), await marks()]).toEqual([2, [false, false, true]]);
  const { readAt } = await server.db
    .selectFrom('notices')
    .select('readAt')
    .where('id', '=', first.id)
    .executeTakeFirstOrThrow();
  await client.call(markNoticeRead, { params: { id: first.id } });
  await client.call(markAllNoticesRead, { body: { upToId: second.id } });
  expect([await unread(), await marks()]).toEqual([1, [false, true, true]]);
  await client.call(markAllNoticesRead, { body: { upToId: later.id } });
  expect(await unread()).toBe(0);
  const again = await server.db.selectFrom('notices').select('readAt').where('id', '=', first.id).executeTakeFirst();
  expect(again?.readAt).toEqual(readAt);
});

test("nobody marks another person's notice, and signed out there is none", async () => {
  const [robin, other] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const notice = await buildNotice(server.db, { userId: robin.id });
  const asOther = await server.as(other);
  expect((await asOther.refused(markNoticeRead, { params: { id: notice.id } })).status).toBe(404);
  await asOther.call(markAllNoticesRead, { body: { upToId: notice.id } });
  const kept = await server.db.selectFrom('notices').select('readAt').where('id', '=', notice.id).executeTakeFirst();
  expect(kept?.readAt).toBeNull();
  const nobody = await server.as(null);
  expect((await nobody.refused(listNotices, { query: {} })).status).toBe(401);
});

test('the database keeps no notice that leads out of the product', async () => {
  const { id: userId } = await buildParticipant(server.db);
  for (const link of [
    'javascript:alert(1)',
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
  ]) {
    await expect(buildNotice(server.db, { userId, link })).rejects.toThrow('notices_link_is_a_screen');
  }
  for (const link of ['/', '/dashboard?tab=sessions', null]) {
    expect(await buildNotice(server.db, { userId, link })).toMatchObject({ link });
  }
});
