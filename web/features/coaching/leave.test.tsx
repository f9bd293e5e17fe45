import { notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problemFor } from '#server/platform/errors.ts';
import { draw, drawAsking, press } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { Leave } from './Leave.tsx';
import { TimesGrid } from './TimesGrid.tsx';

const told: unknown[] = [];

beforeEach(() => {
  told.length = 0;
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message }) => {
    told.push(message ? [title, message] : [title]);
    return 'shown';
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const id = '0190b7a0-0000-7000-8000-000000000001';
const week = { id, startsOn: '2027-02-08', endsOn: '2027-02-12', note: 'Skiing' };
const day = { ...week, id: `${id.slice(0, -1)}2`, startsOn: '2027-03-01', endsOn: '2027-03-01', note: null };

/** Draws the leave that the server keeps. What is sent to the server changes it. */
const headers = { 'x-changed-facts': 'availability' };

async function open(given: (typeof week | typeof day)[], refusal?: Response) {
  let leave = given;
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit) => {
    if (method === 'GET') return Response.json({ leave });
    const place = String(address).replace(/^.*\/api/, '/api');
    sent.push([method, place, typeof body === 'string' ? JSON.parse(body) : null]);
    if (refusal) return refusal;
    if (method === 'DELETE') {
      leave = leave.filter((entry) => !place.endsWith(entry.id));
      return Response.json({ done: true }, { headers });
    }
    leave = [...leave, day];
    return Response.json(day, { headers });
  });
  await drawAsking(<Leave />);
  await waitFor(() => expect(document.querySelector('[aria-busy]')).toBeNull());
  return sent;
}

const rows = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
const fields = () => [...document.querySelectorAll<HTMLInputElement>('form input')];
const errors = () => [...document.querySelectorAll('.mantine-InputWrapper-error')].map((error) => error.textContent);
function fill(values: string[]): void {
  const shown = fields();
  for (const [index, value] of values.entries()) fireEvent.change(shown[index] as Element, { target: { value } });
}

test('leave is listed with its days and note, one day is its own last day, and removing names the days', async () => {
  const sent = await open([week]);
  expect(rows()).toEqual([expect.stringMatching(/^Mon 8 Feb 2027 to Fri 12 Feb 2027Skiing/)]);
  fill(['2027-03-01']);
  await press('Add leave');
  await waitFor(() => expect(told).toEqual([['Leave added']]));
  expect(sent).toEqual([['POST', '/api/coach/leave', { startsOn: '2027-03-01', endsOn: '2027-03-01', note: null }]]);
  await waitFor(() => expect(rows()[1]).toMatch(/^Mon 1 Mar 2027Remove$/));
  expect(fields().map(({ value }) => value)).toEqual(['', '', '']);

  await press('Remove the leave Mon 8 Feb 2027 to Fri 12 Feb 2027');
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(sent.at(-1)).toEqual(['DELETE', `/api/coach/leave/${week.id}`, null]);
});

test('leave without a first day, or that ends before it begins, is refused at its field and not sent', async () => {
  const sent = await open([]);
  await press('Add leave');
  expect(errors()).toEqual(['Choose the first day.']);
  fill(['2027-03-02', '2027-03-01']);
  await press('Add leave');
  expect(errors()).toEqual(['Must not be before the first day.']);
  expect(fields()[1]?.getAttribute('aria-invalid')).toBe('true');
  expect(sent).toEqual([]);
});

test('leave that the server refuses says why and keeps what was typed', async () => {
  await open([], Response.json(problemFor('conflict', 'At most 100 are kept.', 'r', null), { status: 409 }));
  fill(['2027-03-01', '2027-03-03', 'Moving']);
  await press('Add leave');
  await waitFor(() => expect(told).toEqual([['The leave could not be added', 'At most 100 are kept.']]));
  expect(fields().map(({ value }) => value)).toEqual(['2027-03-01', '2027-03-03', 'Moving']);
});

test('the grid of times says of each half hour of a day of leave that it is one, offered or not', () => {
  draw(
    <TimesGrid
      week="2027-02-07"
      cells={new Set([48 + 18])}
      isOnLeave={(asked) => asked === '2027-02-08'}
      onChange={() => undefined}
    />,
  );
  const headings = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(headings.filter((heading) => heading?.endsWith('On leave'))).toEqual(['Mon 8 FebOn leave']);
  const named = screen.getAllByRole('gridcell').map((cell) => cell.getAttribute('aria-label'));
  expect(named.filter((name) => name?.endsWith('on leave'))).toHaveLength(24);
  expect(named).toContain('Monday 9:00 AM ET, offered, on leave');
  expect(named).toContain('Monday 9:30 AM ET, not offered, on leave');
  expect(named).toContain('Tuesday 9:00 AM ET, not offered');
});
