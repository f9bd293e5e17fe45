import { expect, test } from 'vitest';
import { normalPhoneNumber } from './phone-numbers.ts';

test.each([
  ['212 555 2368', '+12125552368'],
  ['(212) 555-2368', '+12125552368'],
  ['1.212.555.2368', '+12125552368'],
  ['12125552368', '+12125552368'],
  ['+1 212 555 2368', '+12125552368'],
  [' +49 30 901820 ', '+4930901820'],
  ['+48 22 555 00 11', '+48225550011'],
  ['+0 212 555 2368', null],
  ['112 555 2368', null],
  ['+1', null],
  ['+1234567890123456', null],
  ['212 555 2368 ext 4', null],
  ['tel:+12125552368', null],
  ['+1 212 + 555 2368', null],
  ['', null],
])('of %j a number that can be texted is %j', (text, number) => {
  expect(normalPhoneNumber(text)).toBe(number);
});
