import { expect, test } from 'vitest';
import { findClockReads } from './clock-read-rules.ts';

test('a read of the machine’s clock is found, however it is written', () => {
  const source = ['const a = new Date();', 'const b = Date.now() + 1;', 'const c = new Date;', 'call(Date.now);'];
  expect(findClockReads(source.join('\n'))).toEqual(['1: new Date()', '2: Date.now', '3: new Date', '4: Date.now']);
});

test('a date of something else, and words about the clock, are none', () => {
  const source = ['const a = new Date(given);', '// new Date() is not asked', '/* nor is Date.now() */ now();'];
  expect(findClockReads(source.join('\n'))).toEqual([]);
});
