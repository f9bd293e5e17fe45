import { cleanup, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aStipendRow } from '#test/support/a-stipend-row.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { queryClient } from '../../api/query-for.ts';
import { MarkPaid } from './MarkPaid.tsx';
import { SendStipends } from './SendStipends.tsx';
import { payeeInWords, StipendPayee } from './StipendPayee.tsx';

let calls: [string, unknown][];
let answer: object;

beforeEach(() => {
  calls = [];
  vi.stubGlobal('fetch', async (address: string, { body, method }: RequestInit) => {
    if (method !== 'GET') calls.push([address, JSON.parse(String(body))]);
    return Response.json(answer);
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function show(part: ReactNode) {
  cleanup();
  return drawAsking(part);
}
const dialog = () => screen.queryByRole('dialog')?.textContent ?? '';

const approved = { name: 'Nadia Ng', email: 'nadia@old.example' };
const now = { name: 'Nadia Nguyen', email: 'nadia@new.example' };
const row = {
  ...aStipendRow,
  paymentStatus: 'approved',
  participantName: now.name,
  participantEmail: now.email,
  payee: { ...approved, isOutdated: true },
  can: { ...aStipendRow.can, renewPayee: true },
} as const;

test('what differs is named, and nothing else', () => {
  expect(payeeInWords(approved, now)).toBe('Nadia Ng, nadia@old.example; now Nadia Nguyen, nadia@new.example');
  expect(payeeInWords(approved, { ...now, email: approved.email })).toBe('Nadia Ng; now Nadia Nguyen');
  expect(payeeInWords(approved, { ...now, name: approved.name })).toBe('nadia@old.example; now nadia@new.example');
});

test('the row says whom it pays where that is another than the person is now, by what became of it', async () => {
  const words = 'Nadia Ng, nadia@old.example; now Nadia Nguyen, nadia@new.example';
  const fixed = { ...row, can: { renewPayee: false } };
  for (const [facts, said] of [
    [{ ...row, payee: null }, ''],
    [{ ...row, payee: { ...now, isOutdated: false } }, ''],
    [row, `Approved as ${words}Update`],
    [{ ...fixed, handover: 'failed' as const }, `Sent as ${words}`],
    [{ ...fixed, handover: 'sent' as const, paymentStatus: 'paid' as const }, `Paid as ${words}`],
  ] as const) {
    await show(
      <main>
        <StipendPayee row={facts} />
      </main>,
    );
    expect(screen.getByRole('main').textContent).toBe(said);
  }
});

test('taking the new name and email over asks first, and names both', async () => {
  answer = { ...row, payee: { ...now, isOutdated: false } };
  await show(<StipendPayee row={row} />);
  await press('Update name and email for Nadia Nguyen');
  expect(dialog()).toContain('This stipend was approved for Nadia Ng, nadia@old.example.');
  expect(dialog()).toContain('Pay it to Nadia Nguyen, nadia@new.example instead?');
  expect(calls).toEqual([]);
  await press('Use new name and email');
  expect(calls).toEqual([['/api/stipends/0/payee', { version: 1 }]]);
});

test('an admin who notes a payment reads whom it was approved for', async () => {
  await show(
    <Somewhere>
      <MarkPaid stipend={row} />
    </Somewhere>,
  );
  await press('Mark paid: Nadia Nguyen');
  expect(dialog()).toContain('Approved as Nadia Ng, nadia@old.example; now Nadia Nguyen, nadia@new.example');
});

test('the question before sending names whom it sends under an earlier name or email', async () => {
  answer = {
    toSend: { count: 7, totalCents: 350_000, versions: 'a.1' },
    cohorts: [{ name: 'Spring 2027', count: 7, totalCents: 350_000 }],
    openBatches: 0,
    outdatedPayees: { count: 3, first: [{ stipendId: '00000000-0000-4000-8000-000000000001', approved, now }] },
    heldBack: 0,
    ofDeleted: 0,
    own: 0,
  };
  await show(<SendStipends week={8} title="Week 8" cohortId={undefined} />);
  await press('Send to Webhook');
  for (const words of [
    'Name or email changed after approval: 3',
    'They are sent as approved.',
    'Nadia Ng, nadia@old.example; now Nadia Nguyen, nadia@new.example',
    '2 more',
  ]) {
    expect(dialog()).toContain(words);
  }
});
