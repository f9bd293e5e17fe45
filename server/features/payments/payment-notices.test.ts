import { afterAll, beforeAll, expect, test } from 'vitest';
import { markStipendPaid, takePaymentBack } from '#contract/payments.ts';
import { changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { recordPayment } from './payment-notices.ts';

let app: TestApp;
let ada: { id: string };
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  ada = await buildAdmin(app.db);
  admin = await app.as(ada);
});
afterAll(() => app.close());

const read = (id: string) => admin.call(readStipend, { params: { id } });

async function mark(id: string, reference: string) {
  const { version } = await read(id);
  await admin.call(markStipendPaid, { params: { id }, body: { version, reference } });
}

test('a participant is told of each payment with its amount and where to see it, and the record says by whom', async () => {
  const { id, fellowId } = await buildStipend(app.db, { weekNumber: 3, paymentStatus: 'approved' });
  await mark(id, 'CHK 1');
  const { version } = await read(id);
  const more = { version, amountCents: 62_500, reason: 'Counted anew' };
  await admin.call(changeStipendAmount, { params: { id }, body: more });
  await mark(id, 'CHK 2');

  const notices = app.db.selectFrom('notices').select(['kind', 'title', 'message', 'link']);
  const told = { kind: 'stipend', title: 'Stipend of week 3 paid', link: '/fellowship-dashboard' };
  expect((await notices.where('userId', '=', fellowId).execute()).filter(({ title }) => title === told.title)).toEqual([
    { ...told, message: 'Your stipend of $500 for week 3 was paid.' },
    { ...told, message: 'Another $125 of your stipend for week 3 was paid.' },
  ]);
  const trail = app.db.selectFrom('auditLog').select(['actorId', 'subjectType', 'before', 'after']);
  const by = { actorId: ada.id, subjectType: 'stipend' };
  expect(await trail.where('subjectId', '=', id).where('action', '=', 'stipend.pay').orderBy('at').execute()).toEqual([
    {
      ...by,
      before: { paymentStatus: 'approved', amountCents: 50_000 },
      after: { paymentStatus: 'paid', amountCents: 50_000, paidCents: 50_000 },
    },
    {
      ...by,
      before: { paymentStatus: 'paid', amountCents: 62_500 },
      after: { paymentStatus: 'paid', amountCents: 62_500, paidCents: 12_500 },
    },
  ]);
});

test('the payee sees at once what is paid and what is taken back, and is mailed unless updates of stipends are off', async () => {
  const { id, fellowId } = await buildStipend(app.db, { paymentStatus: 'approved' });
  const paid = await toldBy(app, () => mark(id, 'CHK 3'));
  expect(paid({ id: fellowId })).toContain('payments');
  const { version } = await read(id);
  const body = { version, reason: 'The cheque was lost.' };
  const back = await toldBy(app, () => admin.call(takePaymentBack, { params: { id }, body }));
  expect(back({ id: fellowId })).toContain('payments');
  const events = app.db.selectFrom('noticeEvents').select(['category', 'eventKey']).where('userId', '=', fellowId);
  const category = 'stipend_updates';
  expect(await events.orderBy('dueAt').execute()).toEqual([
    { category, eventKey: expect.stringMatching(`^stipend:${id}:paid:`) },
    { category, eventKey: expect.stringMatching(`^stipend:${id}:taken_back:`) },
  ]);
});

test('where nothing was paid, nothing is on record', async () => {
  const count = async () => (await app.db.selectFrom('auditLog').select('id').execute()).length;
  const before = await count();
  await recordPayment(app.db, ada, []);
  expect(await count()).toBe(before);
});
