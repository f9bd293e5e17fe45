import { expect, test, vi } from 'vitest';
import { askEarly, forgetEarlyAnswers, takeEarlyAnswer } from './early-answers.ts';

test('an early answer is read, and then taken by the first call that asks for the same', async () => {
  vi.stubGlobal('fetch', async () => new Response('{"one":1}'));
  expect(await askEarly('/one')).toBe('{"one":1}');
  expect(takeEarlyAnswer('/other')).toBeUndefined();
  expect(await (await takeEarlyAnswer('/one'))?.json()).toEqual({ one: 1 });
  expect(takeEarlyAnswer('/one')).toBeUndefined();
});

test('a refusal, or no answer, is nothing to show, and is still for the call to tell', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 403 }));
  expect(await askEarly('/one')).toBeNull();
  expect((await takeEarlyAnswer('/one'))?.status).toBe(403);
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  expect(await askEarly('/one')).toBeNull();
  await expect(takeEarlyAnswer('/one')).rejects.toThrow('Failed to fetch');
});

test('an answer that nobody took is not for a later call', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 401 }));
  await askEarly('/one');
  forgetEarlyAnswers();
  expect(takeEarlyAnswer('/one')).toBeUndefined();
});
