import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { StipendRow } from '#contract/stipends.ts';
import { aStipendRow, criteriaOf } from '#test/support/a-stipend-row.ts';
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

test('a row that comes anew is marked in the cells of what changed', () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const frame = document.createElement('div');
  const root = createRoot(frame);
  const marks = (label: string) =>
    [...frame.querySelectorAll(`td[data-label="${label}"] p`)]
      .map(({ textContent }) => textContent)
      .filter((text) => text.startsWith(said));
  act(() => root.render(<Page rows={[row]} />));
  expect(frame.textContent).not.toContain(said);
  act(() => root.render(<Page rows={[others]} />));
  expect(marks('Amount')).toEqual([`${said} it was $500`]);
  expect(marks('Payment Status')).toEqual([`${said} it was pending`, `${said} the amount waited for nobody`]);
  expect(marks('Eligibility Criteria')).toHaveLength(2);
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

test('a row that somebody else took out of the list is named; one that the admin decided on, or other filters, are not', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const denied = { ...row, paymentStatus: 'denied' };
  vi.stubGlobal('fetch', async () => Response.json(denied));
  const frame = document.createElement('div');
  document.body.append(frame);
  const root = createRoot(frame);
  const [nadia, omar, zoe] = ['Nadia Ng', 'Omar Oz', 'Zoë Zhu'].map((participantName, index) => ({
    ...row,
    id: String(index),
    participantName,
  })) as [StipendRow, StipendRow, StipendRow];
  const show = (rows: StipendRow[], facts: Partial<Shown> = {}) =>
    act(async () => root.render(<Page rows={rows} {...facts} />));
  const words = () => frame.querySelector('[role=status]')?.textContent;
  await show([nadia, omar, zoe]);
  expect(words()).toBe('');
  await show([omar], { isWhole: false });
  expect(words(), 'it may be on a page that is not loaded').toBe('');
  await show([omar, zoe]);
  expect(words()).toBe('1 row you saw is no longer in this list: Nadia Ng');
  await act(async () => frame.querySelector<HTMLButtonElement>('[aria-label="Approve Omar Oz"]')?.click());
  await show([zoe]);
  expect(words(), 'who decides on a row knows of it').toBe('1 row you saw is no longer in this list: Nadia Ng');
  await show([]);
  expect(words()).toBe('2 rows you saw are no longer in this list: Nadia Ng, Zoë Zhu');
  await show([nadia, omar, zoe]);
  expect(words()).toBe('');
  await show([omar], { filters: 'approved' });
  expect(words()).toBe('');
  expect(goneInWords(Array(8).fill(nadia))).toMatch(/^8 rows you saw are .*, Nadia Ng, 3 more$/);
  act(() => root.unmount());
  frame.remove();
  vi.unstubAllGlobals();
});

const said = 'Changed since you opened the page:';

type Shown = Parameters<typeof useGoneRows>[0];

function Page({ rows, filters = 'pending', isWhole = true }: Pick<Shown, 'rows'> & Partial<Shown>) {
  return (
    <QueryClientProvider client={client}>
      <MantineProvider>
        <Table rows={rows} filters={filters} isWhole={isWhole} />
      </MantineProvider>
    </QueryClientProvider>
  );
}

function Table(list: Shown) {
  return (
    <>
      <p role="status">{goneInWords(useGoneRows(list))}</p>
      <StipendTable rows={list.rows} changes={useChangedFacts(list.rows)} onOpen={() => {}} />
    </>
  );
}

const client = new QueryClient();
