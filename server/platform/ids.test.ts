import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('ids of one process are in the order in which they were made, within a millisecond too', () => {
  const made = Array.from({ length: 3000 }, newId);
  expect(made).toEqual(made.toSorted());
  expect(new Set(made).size).toBe(3000);
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
