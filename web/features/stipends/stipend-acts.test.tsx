import { Notifications, notifications } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { aStipendRow } from '#test/support/a-stipend-row.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { queryClient } from '../../api/query-for.ts';
import { MarkPaid } from '../payments/MarkPaid.tsx';
import { RecallHandover } from '../payments/RecallHandover.tsx';
import { SendStipends } from '../payments/SendStipends.tsx';
import { TakePaymentBack } from '../payments/TakePaymentBack.tsx';
import { BulkStipendApproval } from './BulkStipendApproval.tsx';
import { StipendAmount } from './StipendAmount.tsx';
import { StipendDecision } from './StipendDecision.tsx';

let redraw: ((part: ReactNode) => void) | undefined;
let answer: () => Response | Promise<Response>;
let sent: unknown[];
let addresses: string[];
/** The server's preview of a sending. */
let preview: object;

beforeEach(() => {
  sent = [];
  addresses = [];
  vi.stubGlobal('fetch', async (address: string, { body, method }: RequestInit) => {
    if (method === 'GET') return Response.json(preview);
    addresses.push(address);
    sent.push(JSON.parse(String(body)));
    return answer();
  });
});
afterEach(() => {
  act(() => notifications.clean());
  cleanup();
  redraw = undefined;
  queryClient.clear();
  vi.unstubAllGlobals();
});

/** Draws the part, or draws it anew where the test has drawn one already. */
async function show(part: ReactNode) {
  const whole = (
    <>
      <Notifications transitionDuration={0} />
      <Somewhere>{part}</Somewhere>
    </>
  );
  if (redraw) await act(async () => redraw?.(whole));
  else redraw = (await drawAsking(whole)).rerender;
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
/** The first one. A question may lie over it. */
const dialog = () => screen.queryAllByRole('dialog')[0] ?? null;

/** Waits for a toast of this kind, title and message. */
function untilToast(type: string, title: string, message: string) {
  return waitFor(() => {
    const toasts = [...document.querySelectorAll<HTMLElement>('[data-toast]')];
    expect(toasts.map((toast) => [toast.dataset.toast, toast.textContent])).toContainEqual([type, title + message]);
  });
}

test('STIP-43 a bulk approval says how many it approved, and a failed one why', async () => {
  const pending = { count: 2, totalCents: 100_000, versions: 'a.1,b.1' };
  await show(<BulkStipendApproval week={6} title="Week 6" cohortId={undefined} pending={pending} />);
  await press('Bulk Approve Eligible');
  expect(dialog()?.textContent).toContain('Approve 2 eligible stipends for Week 6?');
  expect(sent).toEqual([]);
  expect(dialog()?.textContent).toContain('$1,000 total.');
  const reply = Promise.withResolvers<Response>();
  answer = () => reply.promise;
  await press('Approve 2 stipends, $1,000');
  const approving = 'Approving 2 stipends. This can take some seconds.';
  await waitFor(() => expect(dialog()?.textContent).toContain(approving));
  reply.resolve(Response.json({ approved: 2, firstApproved: 0, skipped: 0, own: 0 }));
  await untilToast('success', 'Bulk Approval Complete', '2 stipends approved successfully');
  expect(sent).toEqual([{ weekNumber: 6, seen: pending }]);

  const detail = 'You saw 2 stipends of $1,000; now it is 1 stipend of $500.';
  answer = () => refusal('stale', detail);
  await press('Bulk Approve Eligible');
  await press('Approve 2 stipends, $1,000');
  await untilToast('error', 'Bulk Approval Failed', detail);
  const fewer = { count: 1, totalCents: 50_000, versions: 'a.2' };
  await show(<BulkStipendApproval week={6} title="Week 6" cohortId={undefined} pending={fewer} />);
  expect(dialog()?.textContent).toContain('These are the new ones.');
  answer = () => Response.json({ approved: 1, firstApproved: 0, skipped: 0, own: 0 });
  await press('Approve 1 stipend, $500');
  await waitFor(() => expect(sent.at(-1)).toEqual({ weekNumber: 6, seen: fewer }));
});

test('STIP-44 where nothing waits the button is off, and says so when it is pressed', async () => {
  const none = { count: 0, totalCents: 0, versions: '' };
  await show(<BulkStipendApproval week={6} title="Week 6" cohortId={undefined} pending={none} />);
  expect(button('Bulk Approve Eligible').getAttribute('aria-disabled')).toBe('true');
  await press('Bulk Approve Eligible');
  await untilToast('warning', 'No Eligible Stipends', 'No eligible stipends found for bulk approval');
  expect([dialog(), sent]).toEqual([null, []]);
});

const leftOut = { heldBack: 0, ofDeleted: 0, own: 0 };
const twelve = {
  toSend: { count: 12, totalCents: 600_000, versions: 'a.1' },
  cohorts: [
    { name: 'Spring 2027', count: 10, totalCents: 500_000 },
    { name: 'Fall 2026', count: 2, totalCents: 100_000 },
  ],
  openBatches: 0,
  outdatedPayees: { count: 0, first: [] },
  ...leftOut,
};

test('HOOK-01 sending asks first, with count, sum, week and cohorts, and again where they have changed', async () => {
  preview = twelve;
  await show(<SendStipends week={8} title="Week 8" cohortId={undefined} />);
  await press('Send to Webhook');
  for (const words of [
    'Send 12 stipends of Week 8, $6,000 total, to the payment system?',
    'Spring 2027: 10 stipends, $5,000',
    'Fall 2026: 2 stipends, $1,000',
  ]) {
    expect(dialog()?.textContent).toContain(words);
  }
  expect(sent).toEqual([]);
  const now = { ...twelve, toSend: { count: 13, totalCents: 650_000, versions: 'a.1,b.1' } };
  preview = now;
  answer = () => refusal('stale', 'Nothing was sent.');
  await press('Send 12 stipends, $6,000');
  await untilToast('error', 'Webhook Failed', 'Nothing was sent.');
  expect(dialog()?.textContent).toContain('These are the new ones.');
  answer = () => Response.json({ ...nothingSent, status: 'sent', recipients: 13 });
  await press('Send 13 stipends, $6,500');
  await untilToast('success', 'Webhook Sent', 'Stipend data sent to webhook for 13 participants');
  expect(sent).toEqual([
    { weekNumber: 8, seen: twelve.toSend },
    { weekNumber: 8, seen: now.toSend },
  ]);
});

const nothingSent = {
  handoverId: null,
  status: 'nothing_to_send',
  recipients: 0,
  heldBack: 0,
  ofDeleted: 0,
  own: 0,
  error: null,
};

test('HOOK-09 HOOK-10 a receiver that refuses or cannot be reached shows as Webhook Failed with the error', async () => {
  preview = twelve;
  await show(<SendStipends week={8} title="Week 8" cohortId={undefined} />);
  for (const error of [
    'Webhook failed: 503',
    'The receiver could not be reached (ECONNREFUSED).',
    'The receiver did not answer within 10 seconds.',
  ]) {
    answer = () => Response.json({ ...nothingSent, status: 'failed', recipients: 1, error });
    await press('Send to Webhook');
    await press('Send 12 stipends, $6,000');
    await untilToast('error', 'Webhook Failed', error);
  }
  expect(sent).toHaveLength(3);
});

test('what is left out of a batch is said with its reason', async () => {
  preview = twelve;
  await show(<SendStipends week={8} title="Week 8" cohortId={undefined} />);
  answer = () => Response.json({ ...nothingSent, status: 'sent', recipients: 3, heldBack: 1, ofDeleted: 2 });
  await press('Send to Webhook');
  await press('Send 12 stipends, $6,000');
  await untilToast(
    'warning',
    'Amounts to Approve',
    '1 stipend was left out: another admin has to approve the new amount first.',
  );
  await untilToast(
    'warning',
    'Deleted Participants',
    '2 stipends of deleted participants were left out. Mark as paid what you pay in another way.',
  );
});

test('STIP-46 the amount editor starts at 500 where no other amount was given, else at that of the row', async () => {
  for (const [amountCents, shown, value] of [
    [specifiedRules.amounts.perPeriodCents, '$500', '500'],
    [45_050, '$450.50', '450.5'],
    [0, '$0', '0'],
  ] as const) {
    await show(<StipendAmount key={amountCents} row={{ ...aStipendRow, amountCents }} />);
    await press(`Change amount of Nadia Ng, ${shown}`);
    expect(document.querySelector('input')?.value).toBe(value);
  }
});

const stipend = { id: aStipendRow.id, version: 1, participantName: 'Nadia Ng' };

test('an adjustment without a reason, or below nothing, says so at the field and goes there', async () => {
  const row = { ...aStipendRow, needsReason: true, handedCents: 50_000 };
  answer = () => Response.json({ ...row, amountCents: 40_000 });
  await show(<StipendAmount row={row} />);
  await press('Change amount of Nadia Ng, $500');
  const [amount, reason] = document.querySelectorAll('input');
  if (!amount || !reason) throw new Error('There are not both fields.');
  const alerts = () => [...document.querySelectorAll('form [role=alert]')].map(({ textContent }) => textContent);
  await write(amount, '-1');
  reason.focus();
  await press('Save amount');
  expect([alerts(), document.activeElement]).toEqual([['An amount cannot be negative.'], amount]);
  await write(amount, '400');
  await press('Save amount');
  expect([alerts(), document.activeElement]).toEqual([['Please say why.'], reason]);
  expect(sent).toEqual([]);
  await write(reason, 'Half a day was taken off.');
  expect(alerts()).toEqual([]);
  await press('Save amount');
  await untilToast('success', 'Amount Updated', 'Nadia Ng: $400');
  expect(sent).toEqual([{ version: 1, amountCents: 40_000, reason: 'Half a day was taken off.' }]);
});

test('an amount above twice the usual asks again, with the sum in words', async () => {
  answer = () => Response.json({ ...aStipendRow, amountCents: 10_000_000 });
  await show(<StipendAmount row={aStipendRow} />);
  await press('Change amount of Nadia Ng, $500');
  const amount = document.querySelector('input');
  if (!amount) throw new Error('There is no field.');
  await write(amount, '100000');
  await press('Save amount');
  expect(dialog()?.textContent).toContain('one hundred thousand dollars');
  expect(sent).toEqual([]);
  await press('Set $100,000');
  await untilToast('success', 'Amount Updated', 'Nadia Ng: $100,000');
  expect(sent).toEqual([{ version: 1, amountCents: 10_000_000 }]);
});

test('STIP-38 denying asks why, and cannot be pressed while an approval runs, nor approving while a denial does', async () => {
  let finish: (response: Response) => void = () => undefined;
  const isClosed = (name: string) => waitFor(() => expect(button(name).disabled).toBe(true));
  await show(<StipendDecision row={aStipendRow} />);
  await press('Deny Nadia Ng');
  await press('Deny $500');
  expect(dialog()?.querySelector('[role=alert]')?.textContent).toBe('Please say why.');
  expect(sent).toEqual([]);
  await type('Reason', 'Not at the site');
  answer = () =>
    new Promise<Response>((resolve) => {
      finish = resolve;
    });
  await press('Deny $500');
  await isClosed('Approve Nadia Ng');
  await act(async () => finish(refusal('conflict', 'Not now.')));
  await untilToast('error', 'Denial Failed', 'Not now.');
  expect(field('Reason').value).toBe('Not at the site');
  await press('Cancel');
  await press('Approve Nadia Ng');
  await isClosed('Deny Nadia Ng');
  await act(async () => finish(Response.json({ ...aStipendRow, paymentStatus: 'approved' })));
  expect(sent).toEqual([{ version: 1, reason: 'Not at the site' }, { version: 1 }]);
});

test('a payment that is being noted is not lost by Escape', async () => {
  await show(<MarkPaid stipend={{ ...stipend, dueCents: 50_000 }} />);
  await press('Mark paid: Nadia Ng');
  await type('Reference', 'CHK 7');
  await act(async () => fireEvent.keyDown(field('Reference'), { key: 'Escape' }));
  expect(document.body.textContent).toContain('Discard your changes?');
  expect(field('Reference').value).toBe('CHK 7');
});

test('a payment of nothing is noted only where nothing is owed, and none without its name', async () => {
  answer = () => Response.json(aStipendRow);
  await show(<MarkPaid stipend={{ ...stipend, dueCents: 50_000 }} />);
  await press('Mark paid: Nadia Ng');
  await type('Amount', '0');
  await press('Mark paid');
  expect(dialog()?.textContent).toContain('Please give an amount above 0.');
  expect(dialog()?.textContent).toContain('Please name the payment.');
  expect(document.activeElement).toBe(field('Amount'));
  await type('Amount', '0.01');
  await press('Mark paid');
  expect(document.activeElement).toBe(field('Reference'));
  expect(sent).toEqual([]);
  await type('Reference', 'CHK 7');
  await press('Mark paid');
  await untilToast('success', 'Stipend Marked Paid', '');

  await show(<MarkPaid key="free" stipend={{ ...stipend, dueCents: 0 }} />);
  await press('Mark paid: Nadia Ng');
  await type('Reference', 'CHK 8');
  await press('Mark paid');
  await waitFor(() =>
    expect(sent).toEqual([
      { version: 1, amountCents: 1, reference: 'CHK 7' },
      { version: 1, amountCents: 0, reference: 'CHK 8' },
    ]),
  );
});

test('what was written about a payment stays where the server is away, and goes where the payment is another', async () => {
  await show(<TakePaymentBack stipend={stipend} />);
  await press('Take payment back: Nadia Ng');
  await press('Take payment back');
  expect(dialog()?.querySelector('[role=alert]')?.textContent).toBe('Please say why.');
  expect(document.activeElement).toBe(field('Reason'));
  expect(sent).toEqual([]);
  await type('Reason', 'Paid by mistake');
  expect(dialog()?.querySelector('[role=alert]')).toBeNull();
  answer = () => new Response('away', { status: 503 });
  await press('Take payment back');
  await untilToast('error', 'Update Failed', 'Something went wrong (503). Please try again.');
  expect(field('Reason').value).toBe('Paid by mistake');
  answer = () => refusal('stale', 'This stipend has changed since you opened the page.');
  await press('Take payment back');
  await untilToast('error', 'Update Failed', 'This stipend has changed since you opened the page.');
  expect(dialog()).toBeNull();
  expect(sent).toEqual(Array(2).fill({ version: 1, reason: 'Paid by mistake' }));
});

test('what is opened is done to the stipend as it was seen, though the list has read another meanwhile', async () => {
  const seen = { ...aStipendRow, dueCents: 50_000, amountCents: 50_000 };
  const read = { ...aStipendRow, version: 2, dueCents: 40_000, amountCents: 40_000 };
  const acts = (row: typeof seen, handoverId: string) => (
    <>
      <MarkPaid stipend={row} />
      <TakePaymentBack stipend={row} />
      <RecallHandover handoverId={handoverId}>
        {(onAsk) => (
          <button type="button" onClick={onAsk}>
            Recall batch
          </button>
        )}
      </RecallHandover>
      <StipendAmount row={row} />
    </>
  );
  answer = () => refusal('stale', 'It has changed.');
  for (const [opener, label, written, pressed] of [
    ['Mark paid: Nadia Ng', 'Reference', 'CHK 7', 'Mark paid'],
    ['Take payment back: Nadia Ng', 'Reason', 'By mistake', 'Take payment back'],
    ['Recall batch', 'Reason', 'No answer', 'Recall batch'],
  ] as const) {
    await show(acts(seen, 'first'));
    await press(opener);
    await type(label, written);
    await show(acts(read, 'second'));
    await pressInDialog(pressed);
    await waitFor(() => expect(dialog()).toBeNull());
  }
  await show(acts(seen, 'first'));
  await press('Change amount of Nadia Ng, $500');
  await show(acts(read, 'second'));
  await press('Save amount');
  await waitFor(() => expect(document.body.textContent).toContain('It is $400 now.'));
  expect(document.querySelector<HTMLInputElement>('form input')?.value).toBe('500');
  expect(addresses[2]).toContain('first');
  expect(sent).toEqual([
    { version: 1, amountCents: 50_000, reference: 'CHK 7' },
    { version: 1, reason: 'By mistake' },
    { reason: 'No answer' },
    { version: 1, amountCents: 50_000 },
  ]);
});

const inDialog = () => within(dialog() as HTMLElement);
const pressInDialog = (name: string) => act(async () => fireEvent.click(inDialog().getByRole('button', { name })));
const field = (label: string) => inDialog().getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const type = (label: string, text: string) => write(field(label), text);
const write = (typed: Element, value: string) => act(async () => fireEvent.input(typed, { target: { value } }));

function refusal(code: string, detail: string): Response {
  const problem = { type: 'about:blank', title: 'Refused', status: 409, code, detail, instance: null, errors: null };
  return Response.json(problem, { status: 409 });
}
