import { expect, test } from 'vitest';
import { placeAfterSignIn } from './place-after-sign-in.ts';

const origin = 'https://switchyard.example';
const placeFor = (next: string) => placeAfterSignIn(`?next=${encodeURIComponent(next)}`, origin);

test('a sign-in leads to the screen that asked for it, with its filters and its place', () => {
  expect(placeFor('/training-calendar?week=3#day')).toBe('/training-calendar?week=3#day');
  expect(placeFor('/admin/user-management')).toBe('/admin/user-management');
});

test('without a screen that asked, a sign-in leads to the dashboard', () => {
  expect(placeAfterSignIn('', origin)).toBe('/dashboard');
  expect(placeFor('')).toBe('/dashboard');
});

test.each([
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '///elsewhere.example/',
  '/\\elsewhere.example/',
  '/\\/elsewhere.example/',
  '\\\\elsewhere.example/',
  '/\t/elsewhere.example/',
  '/\n/elsewhere.example/',
  ' //elsewhere.example/',
  'javascript:alert(1)',
  'data:text/html,hello',
  'elsewhere.example',
  '//switchyard.example@elsewhere.example/',
  '//[',
])('a sign-in never leads to another site: %j', (next) => {
  const place = placeFor(next);
  expect(place).toBe('/dashboard');
});

test('a path that only looks like another site stays on ours', () => {
  for (const next of [
    '/@elsewhere.example',
    '/https://elsewhere.example',
    '/.//elsewhere.example',
    '/..//elsewhere.example',
  ]) {
    const place = placeFor(next);
    expect(new URL(place, origin).origin, next).toBe(origin);
  }
});
