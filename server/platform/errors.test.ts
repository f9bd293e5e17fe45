import { expect, test } from 'vitest';
import { AppError } from './errors.ts';

test('only what an operator has to look into says where it was made, and other errors keep saying so', () => {
  const placeIn = ({ stack = '' }: Error) => stack.includes('errors.test.ts');
  expect(placeIn(new AppError('conflict', 'This stipend is paid already.'))).toBe(false);
  expect(placeIn(new AppError('internal', 'Something went wrong.'))).toBe(true);
  expect(placeIn(new AppError('unavailable', 'The database is away.'))).toBe(true);
  expect(placeIn(new Error('Any other.'))).toBe(true);
});
