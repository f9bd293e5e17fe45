import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askEarly, forgetEarlyAnswers, takeEarlyAnswer } from './early-answers.ts';

const never = new AbortController().signal;
const answering = (answer: (init: RequestInit) => Promise<Response>) =>
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => answer(init));

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  forgetEarlyAnswers();
});

test('an early answer is read, and then taken by the first call that asks for the same', async () => {
  answering(async () => new Response('{"one":1}'));
  expect(await askEarly('/one')).toEqual({ one: 1 });
  expect(takeEarlyAnswer('/other', never)).toBeNull();
  expect(await (await takeEarlyAnswer('/one', never))?.json()).toEqual({ one: 1 });
  expect(takeEarlyAnswer('/one', never)).toBeNull();
});

test('a refusal, no answer, or what is no JSON is nothing to show, and is still for the call to tell', async () => {
  answering(async () => new Response('', { status: 403 }));
  expect(await askEarly('/one')).toBeNull();
  expect((await takeEarlyAnswer('/one', never))?.status).toBe(403);
  answering(async () => {
    throw new TypeError('Failed to fetch');
  });
  expect(await askEarly('/one')).toBeNull();
  await expect(takeEarlyAnswer('/one', never)).rejects.toThrow('Failed to fetch');
  answering(async () => new Response('<h1>Pay for the network</h1>'));
  expect(await askEarly('/one')).toBeNull();
  expect(await (await takeEarlyAnswer('/one', never))?.text()).toBe('<h1>Pay for the network</h1>');
});

test('an answer that waited for more than three seconds is asked for anew; one that is on its way is not', async () => {
  answering(async () => new Response('{}'));
  await askEarly('/one');
  vi.setSystemTime(Date.now() + 3_001);
  expect(takeEarlyAnswer('/one', never)).toBeNull();
  const { promise, resolve } = Promise.withResolvers<Response>();
  answering(() => promise);
  const read = askEarly('/one');
  vi.setSystemTime(Date.now() + 9_000);
  const taken = takeEarlyAnswer('/one', never);
  resolve(new Response('{"late":true}'));
  expect(await (await taken)?.json()).toEqual({ late: true });
  expect(await read).toEqual({ late: true });
});

test('a call that gives up gives up the early request', async () => {
  let signal: AbortSignal | null | undefined;
  answering((init) => {
    signal = init.signal;
    return Promise.withResolvers<Response>().promise;
  });
  void askEarly('/one');
  const call = new AbortController();
  void takeEarlyAnswer('/one', call.signal);
  expect(signal?.aborted).toBe(false);
  call.abort();
  expect(signal?.aborted).toBe(true);
});

test('an answer that nobody took is not for a later call', async () => {
  answering(async () => new Response('', { status: 401 }));
  await askEarly('/one');
  forgetEarlyAnswers();
  expect(takeEarlyAnswer('/one', never)).toBeNull();
});
