import { act } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { problemFor } from '#server/platform/errors.ts';
import {
  answerWith,
  field,
  openTab,
  press,
  render,
  setUpComposer,
  told,
  type,
  userId,
} from '#test/support/composer.tsx';
import { putOutgoing, tryAgain, unsentOf } from './unsent.ts';
import { mostTries } from './use-outbox.ts';

setUpComposer();

test('a message whose answer was lost is sent again by the same key until the server has it, then Message Sent', async () => {
  vi.useFakeTimers();
  let tries = 0;
  const asked = answerWith(async () => {
    tries += 1;
    if (tries < 3) throw new TypeError('Failed to fetch');
    return Response.json({});
  });
  render({ isSending: true });
  type('Once');
  press('Enter');
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  vi.useRealTimers();
  expect(asked.map(({ text }) => text)).toEqual(['Once', 'Once', 'Once']);
  expect(new Set(asked.map(({ clientKey }) => clientKey)).size).toBe(1);
  expect(told).toEqual([['Message Sent', '']]);
  expect(field().value).toBe('');
  expect(unsentOf(userId).outgoing).toEqual([]);
});

test('a server that is away is asked again by itself, later each time, and nothing is said to have failed', async () => {
  vi.useFakeTimers();
  const answers = [502, 500, 503, 200];
  const asked = answerWith(async () => Response.json({}, { status: answers.shift() ?? 200 }));
  render({ isSending: true });
  type('Patience');
  press('Enter');
  await act(() => vi.advanceTimersByTimeAsync(12_000));
  expect(asked).toHaveLength(3);
  await act(() => vi.advanceTimersByTimeAsync(12_000));
  vi.useRealTimers();
  expect(asked.map(({ text }) => text)).toEqual(['Patience', 'Patience', 'Patience', 'Patience']);
  expect(new Set(asked.map(({ clientKey }) => clientKey)).size).toBe(1);
  expect(told).toEqual([['Message Sent', '']]);
});

const wants = (text: string, status: number, headers = {}) => [text, { status, headers }] as const;

/** Answers each message with the status for its text, or 200 if `wanted` does not name it. */
function answerByText(...wanted: ReturnType<typeof wants>[]) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    if (typeof body !== 'string') return Response.json({});
    const { text } = JSON.parse(body);
    asked.push(text);
    const [, init] = wanted.find(([known]) => known === text) ?? [];
    if (!init) return Response.json({});
    const problem = problemFor('internal', `It answers ${init.status}.`, 'r', null);
    return Response.json({ ...problem, status: init.status }, init);
  });
  return asked;
}
const hour = 3_600_000;

test('MSG-22 a message that the server fails on is given up after some tries, kept with its failure, and lets others pass', async () => {
  vi.useFakeTimers();
  const asked = answerByText(wants('Poison', 500));
  render({ isSending: true });
  for (const text of ['Poison', 'Next']) {
    type(text);
    press('Enter');
  }
  act(() => putOutgoing(userId, { recipientId: 'somebody', text: 'To somebody else', file: null }));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  // Messages to another person do not wait for it. Later messages of its own conversation do.
  expect(asked).toContain('To somebody else');
  expect(asked).not.toContain('Next');
  await act(() => vi.advanceTimersByTimeAsync(hour));
  expect(asked.filter((text) => text === 'Poison')).toHaveLength(mostTries);
  expect(asked.at(-1)).toBe('Next');
  act(() => tryAgain(userId, unsentOf(userId).outgoing[0]?.clientKey ?? ''));
  await act(() => vi.advanceTimersByTimeAsync(hour));
  vi.useRealTimers();
  expect(asked.filter((text) => text === 'Poison')).toHaveLength(2 * mostTries);
  expect(told).toContainEqual(['Send Failed', 'It answers 500.']);
  expect(unsentOf(userId).outgoing).toMatchObject([{ text: 'Poison', failure: 'It answers 500.' }]);
  const afterReload = await openTab(4);
  expect(afterReload.unsentOf(userId).outgoing).toMatchObject([{ text: 'Poison', failure: 'It answers 500.' }]);
});

for (const status of [413, 422, 429]) {
  test(`MSG-22 a message that is answered with ${status} fails at once, with the server's words`, async () => {
    vi.useFakeTimers();
    const asked = answerByText(wants('No', status));
    render({ isSending: true });
    type('No');
    press('Enter');
    await act(() => vi.advanceTimersByTimeAsync(hour));
    vi.useRealTimers();
    expect(asked).toEqual(['No']);
    expect(told).toEqual([['Send Failed', `It answers ${status}.`]]);
    expect(unsentOf(userId).outgoing).toMatchObject([{ failure: `It answers ${status}.` }]);
  });
}

test('a server that says when it is back is asked then, and not before', async () => {
  vi.useFakeTimers();
  const asked = answerByText(wants('Wait', 503, { 'retry-after': '60' }));
  render({ isSending: true });
  type('Wait');
  press('Enter');
  await act(() => vi.advanceTimersByTimeAsync(59_000));
  expect(asked).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(asked).toHaveLength(2);
  vi.useRealTimers();
});
