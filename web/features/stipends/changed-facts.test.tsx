import { act, cleanup, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { StipendRow } from '#contract/stipends.ts';
import { aStipendRow, criteriaOf } from '#test/support/a-stipend-row.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { changedFacts, useChangedFacts } from './changed-facts.ts';
import { goneInWords, useGoneRows } from './gone-rows.ts';
import { StipendTable } from './StipendTable.tsx';

const row = aStipendRow;
const others: StipendRow = {
  ...row,
  criteria: criteriaOf({ activitiesAccessed: 3 }),
  amountCents: 60_000,
  paymentStatus: 'approved',
  membershipNote: 'Left the cohort on Oct 8',
  amountAwaitsApproval: true,
};

test('what others changed since the page was opened is said: facts, membership, amounts and decisions', () => {
  expect(changedFacts(row, row)).toEqual({ person: [], criteria: [], amount: [], status: [] });
  expect(changedFacts(row, others)).toEqual({
    person: [],
    criteria: ['Attendance was "5 of 5 activities attended (100%)"', 'the whole week counted'],
    amount: ['it was $500'],
    status: ['it was pending', 'the amount waited for nobody'],
  });
  expect(changedFacts(others, { ...others, amountAwaitsApproval: false }).status).toEqual([
    'the amount waited for approval',
  ]);
  const renamed = { ...row, participantName: 'Nadia Nguyen', participantEmail: 'nadia@new.example' };
  expect(changedFacts(row, renamed).person).toEqual(['the name was Nadia Ng', 'the email was nadia@people.example']);
  const first = { ...row, firstApproval: { byName: 'Bea Board', at: '2025-10-08T14:00:00Z' } };
  expect(changedFacts(first, { ...row, paymentStatus: 'approved' }).status).toEqual([
    'it was approved by Bea Board only',
  ]);
});

test('what the admin did themself is no news', () => {
  const own = { amount: true, amountApproval: true, decision: true };
  const byMe = changedFacts(row, { ...others, own });
  expect([byMe.amount, byMe.status]).toEqual([[], []]);
  expect(changedFacts(others, { ...others, amountAwaitsApproval: false, own }).status).toEqual([]);
});

test('a row that comes anew is marked in the cells of what changed', async () => {
  const { container, rerender } = await drawAsking(<Table {...shown} rows={[row]} />);
  const marks = (label: string) =>
    [...container.querySelectorAll(`td[data-label="${label}"] p`)]
      .map(({ textContent }) => textContent)
      .filter((text) => text.startsWith(said));
  expect(container.textContent).not.toContain(said);
  rerender(<Table {...shown} rows={[others]} />);
  expect(marks('Amount')).toEqual([`${said} it was $500`]);
  expect(marks('Payment Status')).toEqual([`${said} it was pending`, `${said} the amount waited for nobody`]);
  expect(marks('Eligibility Criteria')).toHaveLength(2);
});

test('a row that somebody else took out of the list is named; one that the admin decided on, or other filters, are not', async () => {
  const denied = { ...row, paymentStatus: 'denied' };
  vi.stubGlobal('fetch', async () => Response.json(denied));
  const [nadia, omar, zoe] = ['Nadia Ng', 'Omar Oz', 'Zoë Zhu'].map((participantName, index) => ({
    ...row,
    id: String(index),
    participantName,
  })) as [StipendRow, StipendRow, StipendRow];
  const { rerender } = await drawAsking(<Table {...shown} rows={[nadia, omar, zoe]} />);
  const show = (rows: StipendRow[], facts: Partial<Shown> = {}) =>
    act(async () => rerender(<Table {...shown} rows={rows} {...facts} />));
  const words = () => screen.getByRole('status').textContent;
  expect(words()).toBe('');
  await show([omar], { isWhole: false });
  expect(words(), 'it may be on a page that is not loaded').toBe('');
  await show([omar, zoe]);
  expect(words()).toBe('1 row you saw is no longer in this list: Nadia Ng');
  await press('Approve Omar Oz');
  await show([zoe]);
  expect(words(), 'who decides on a row knows of it').toBe('1 row you saw is no longer in this list: Nadia Ng');
  await show([]);
  expect(words()).toBe('2 rows you saw are no longer in this list: Nadia Ng, Zoë Zhu');
  await show([nadia, omar, zoe]);
  expect(words()).toBe('');
  await show([omar], { filters: 'approved' });
  expect(words()).toBe('');
  expect(goneInWords(Array(8).fill(nadia))).toMatch(/^8 rows you saw are .*, Nadia Ng, 3 more$/);
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const said = 'Changed since you opened the page:';

type Shown = Parameters<typeof useGoneRows>[0];

const shown = { filters: 'pending', isWhole: true };

function Table(list: Shown) {
  return (
    <>
      <p role="status">{goneInWords(useGoneRows(list))}</p>
      <StipendTable rows={list.rows} changes={useChangedFacts(list.rows)} onOpen={() => {}} />
    </>
  );
}
