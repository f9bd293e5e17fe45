import { expect, test } from 'vitest';
import { z } from 'zod';
import { Cursor } from '#contract/endpoint.ts';
import { personName } from '#contract/person-names.ts';
import { readCursor, writeCursor } from './cursors.ts';

const name = personName('Missing');
const Place = z.tuple([z.number(), name, name, z.uuid()]);
const id = '01890000-0000-7000-8000-000000000001';

test('the place of the longest names is within what a request may send, and comes back as it was', () => {
  const longest = name.parse('\u{1F50C}'.repeat(50));
  const longestWide = name.parse('電'.repeat(100));
  const place = [99.95, longest, longestWide, id];
  const cursor = Cursor.parse(writeCursor(place));
  expect(readCursor(cursor, Place)).toEqual(place);
});

test('what was not written for this list is refused', () => {
  const others = [writeCursor([id]), writeCursor([1, 'Robin', 'Reyes', '-'.repeat(36)]), 'made-up', '', 'e30'];
  for (const cursor of others) {
    expect(() => readCursor(cursor, Place), cursor).toThrow('This page no longer exists.');
  }
});
