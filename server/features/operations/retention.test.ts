import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { now } from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';
import { findOverdue, removeOverdue } from '#server/platform/retention.ts';
import { buildNotice } from '#test/factories/notices.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { retentionRules } from './retention-rules.ts';

let app: TestApp;
let restoreClock = () => {};
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => restoreClock());
afterAll(() => app.close());

const { retainedDays: usualDays } = readConfig({});

async function buildOld() {
  const { db } = app;
  const [admin, person] = [await buildAdmin(db), await buildParticipant(db)];
  const delivery = {
    ...{ kind: 'assignment_reminder', recipientId: person.id, address: person.email, subject: 'Due' },
    ...{ textBody: 'One-line is due.', htmlBody: '<p>One-line is due.</p>' },
  };
  const messages = [
    { ...delivery, status: 'sent', sentAt: '2026-01-02T10:00:00Z', createdAt: '2026-01-02T10:00:00Z' },
    { ...delivery, status: 'queued', createdAt: '2026-01-02T10:00:00Z' },
    { ...delivery, status: 'sent', sentAt: '2026-06-20T10:00:00Z', createdAt: '2026-06-20T10:00:00Z' },
  ];
  await db.insertInto('deliveries').values(messages).execute();
  const importId = newId();
  await db
    .insertInto('bulkImports')
    .values({
      ...{ id: importId, filename: 'people.csv', totalRecords: 2, createdBy: admin.id, status: 'completed' },
      completedAt: '2025-11-01T10:00:00Z',
    })
    .execute();
  const record = JSON.stringify({ email: person.email });
  await db
    .insertInto('bulkImportRows')
    .values([
      { importId, rowNumber: 1, record, status: 'succeeded', userId: person.id },
      { importId, rowNumber: 2, record, status: 'failed', error: `There is an account of "${person.email}".` },
    ])
    .execute();
  const newer = await buildNotice(db, {
    userId: person.id,
    createdAt: '2025-01-02T10:00:00Z',
    readAt: '2025-01-03T10:00:00Z',
  });
  const older = await buildNotice(db, { userId: person.id, createdAt: '2025-01-01T10:00:00Z', replacedBy: newer.id });
  const unread = await buildNotice(db, { userId: person.id, createdAt: '2025-01-01T10:00:00Z' });
  return { person, importId, notices: { newer, older, unread } };
}

test('what is older than it is kept is counted first, and then goes without what must stay', async () => {
  const { person, importId, notices } = await buildOld();
  restoreClock = stopClockAt('2026-07-01T10:00:00Z');
  const counts = async () =>
    Object.fromEntries(
      (await findOverdue(app.db, retentionRules, usualDays, now())).map(({ kind, rows }) => [kind, rows]),
    );
  expect(await counts()).toEqual({ messages: 1, imports: 2, notices: 1 });
  expect(await counts()).toEqual({ messages: 1, imports: 2, notices: 1 });

  const removed = await removeOverdue(app.db, retentionRules, usualDays, now());
  expect(removed).toEqual({ messages: 1, imports: 2, notices: 1 });
  const sent = await app.db
    .selectFrom('deliveries')
    .select(['status', 'address', 'textBody', 'htmlBody'])
    .where('recipientId', '=', person.id)
    .orderBy('createdAt')
    .orderBy('status', 'desc')
    .execute();
  expect(sent.map(({ status, textBody }) => [status, textBody])).toEqual([
    ['sent', ''],
    ['queued', 'One-line is due.'],
    ['sent', 'One-line is due.'],
  ]);
  const rows = await app.db
    .selectFrom('bulkImportRows')
    .select([sql<string>`record::text`.as('record'), 'status', 'error'])
    .where('importId', '=', importId)
    .orderBy('rowNumber')
    .execute();
  expect(rows).toEqual([
    { record: '{}', status: 'succeeded', error: null },
    { record: '{}', status: 'failed', error: 'There is an account of that was removed.' },
  ]);
  const left = await app.db.selectFrom('notices').select('id').where('userId', '=', person.id).execute();
  expect(left.map(({ id }) => id).toSorted()).toEqual([notices.newer.id, notices.unread.id].toSorted());
  // The one that had replaced it goes the next night.
  expect(await removeOverdue(app.db, retentionRules, usualDays, now())).toEqual({
    messages: 0,
    imports: 0,
    notices: 1,
  });
});

test('a setting keeps something longer, and zero keeps it for ever', async () => {
  await buildOld();
  restoreClock = stopClockAt('2026-07-01T10:00:00Z');
  const days = { RETAIN_MESSAGES_DAYS: 0, RETAIN_IMPORTS_DAYS: 365, RETAIN_NOTICES_DAYS: 100 };
  const overdue = await findOverdue(app.db, retentionRules, days, now());
  expect(overdue.map(({ kind, rows, days: kept }) => [kind, rows, kept])).toEqual([
    ['messages', 0, null],
    ['imports', 0, 365],
    ['notices', 1, 100],
  ]);
  expect(overdue[1]?.what).toBe('What the files of finished imports said of people');
  expect(await removeOverdue(app.db, retentionRules, { ...days, RETAIN_NOTICES_DAYS: 0 }, now())).toEqual({
    ...{ messages: 0, imports: 0, notices: 0 },
  });
});
