import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longest } from './support/longest-first.ts';

test('every test file that is to begin first is there', () => {
  expect(longest.filter((file) => !existsSync(file))).toEqual([]);
});
