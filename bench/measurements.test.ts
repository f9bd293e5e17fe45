import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { orRefusal, wholeNumber } from './asked.ts';
import { measurements } from './measurements.ts';

test('whole numbers are read, and nothing else', () => {
  expect(['1', '40', '007'].map((text) => wholeNumber(text))).toEqual([1, 40, 7]);
  expect(['0', '-1', '1.5', '1e3', '', 'ten'].map((text) => wholeNumber(text))).toEqual(Array(6).fill(null));
  expect([wholeNumber('99', 100), wholeNumber('100', 100)]).toEqual([null, 100]);
});

test('an error that is not about arguments is no refusal', async () => {
  await expect(orRefusal(() => Promise.reject(new Error('The disk is full.')))).rejects.toThrow('The disk is full.');
});

test.each([
  ['growth --people 5,100', 'People are whole numbers from 100.'],
  ['growth --people 100', 'Growth needs at least two numbers of people.'],
  ['growth --seconds never', 'Seconds are a number above zero.'],
  ['growth --from nowhere.txt', 'There is no file nowhere.txt.'],
  ['start --times 0', 'Times are a whole number above zero.'],
  ['memory --people 10', 'People are a whole number from 100.'],
  ['memory --seconds 0', 'Seconds are a whole number above zero.'],
  ['transfers --times many', 'Times are a whole number above zero.'],
  ['fan-out --streams 0', 'Streams, rounds and idle (in seconds) are whole numbers above zero.'],
  ['phone --times -1', "Option '--times' argument is ambiguous."],
  ['day --slowly', "Unknown option '--slowly'."],
  ['fan-out --everybody', "Unknown option '--everybody'."],
  ['start here', "Unexpected argument 'here'."],
])('wrong use is refused with one sentence: %s', async (words, sentence) => {
  const [name = '', ...args] = words.split(' ');
  const measure = await measurements[name]?.();
  expect(await orRefusal(async () => (measure ? measure(args) : null))).toBe(sentence);
});

test('a refusal goes to the errors, with exit code 2', async () => {
  expect(await bench(['start', 'here'])).toEqual({ code: 2, stderr: "Unexpected argument 'here'.\n", stdout: '' });
});

function bench(args: string[]): Promise<{ code: number; stderr: string; stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['bench/run.ts', ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr, stdout });
    });
  });
}
