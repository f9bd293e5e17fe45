import { act, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { Role } from '#contract/roles.ts';
import { readContract } from '#test/support/contract.ts';
import { sampleOf } from '#test/support/sample-body.ts';
import { answers, open, robin, serveScreens, sessionOf } from '#test/support/web-screens.tsx';
import { pagesOf } from '../../e2e/demo-pages.ts';

serveScreens();

const id = '00000000-0000-7000-8000-00000000000a';
const tenSecondsInMs = 10_000;
const contract = (await readContract()).filter(({ binary }) => !binary);
/** These work through a set, so nobody expects an answer of them within seconds. */
const longActs = contract.filter(({ takesLong, method }) => takesLong && method !== 'GET').map(({ path }) => path);
let isSilent = true;
let asked = 0;

beforeEach(() => {
  // React warns about the made-up data.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  vi.useFakeTimers();
  isSilent = true;
  asked = 0;
  const answer = globalThis.fetch as (address: string, init?: object) => Promise<Response>;
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    if ([readSession.path, ...longActs].includes(address)) return answer(address, init);
    asked += 1;
    return isSilent ? neverAnswered(init.signal) : answer(address, init);
  });
});
afterEach(() => {
  vi.useRealTimers();
});

function neverAnswered(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

const tryAgain = () =>
  [...document.querySelectorAll('button')].filter(({ textContent }) => textContent?.startsWith('Try again'));
const isLoading = () => document.querySelector('main [aria-busy=true], main .mantine-Skeleton-root') !== null;
const isSaid = () => /No answer has come yet|not loaded/i.test(document.body.textContent ?? '');

/**
 * Parts of the app load one within the other, and not each shows on the screen. So many rounds without a change mean
 * that all are there.
 */
const stillRounds = 3;

/** Ends once the screen has all its files and has asked all that it asks. Meanwhile no time passes for the screen. */
async function settled(): Promise<void> {
  let last = '';
  let still = 0;
  while (still < stillRounds) {
    await act(async () => {
      await vi.dynamicImportSettled();
      await vi.advanceTimersByTimeAsync(0);
    });
    const now = `${asked} ${document.body.innerHTML}`;
    still = now === last ? still + 1 : 0;
    last = now;
  }
}

async function waitTenSeconds(): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(tenSecondsInMs));
  await settled();
}

async function tryAllAgain(): Promise<void> {
  for (const button of tryAgain()) await act(async () => fireEvent.click(button));
  await settled();
}

async function openAs(role: string, place: string): Promise<void> {
  for (const endpoint of contract) answers.set(endpoint, () => sampleOf(endpoint.response) as object);
  answers.set(readSession, () => sessionOf({ ...robin, role: Role.parse(role) }));
  await open(place.replace(/\/one$/, `/${id}`));
  // A screen asks once its own files are there, and only then do the ten seconds begin.
  await settled();
  expect(document.querySelector('h1, main [role=status]')).not.toBeNull();
}

for (const role of ['participant', 'coach', 'admin'] as const) {
  for (const place of pagesOf[role]) {
    test(`${role} at ${place}: within ten seconds the person reads that no answer has come, and can try again`, async () => {
      await openAs(role, place);
      await waitTenSeconds();
      // Only a screen that asks for nothing has nothing to say.
      if (asked === 0) return;
      // An activity that cannot be read leads to the calendar, which has read nothing either.
      if (place.startsWith('/activity/')) await waitTenSeconds();
      expect([isSaid(), tryAgain().length > 0]).toEqual([true, true]);
      // What is read after that is said to be missing, too.
      await waitTenSeconds();
      expect(isLoading()).toBe(false);
      isSilent = false;
      await tryAllAgain();
      // Of two reads, the screen may say that the second failed only once it has something to show with it.
      await tryAllAgain();
      expect(document.body.textContent).not.toContain('No answer has come yet');
    });
  }
}
