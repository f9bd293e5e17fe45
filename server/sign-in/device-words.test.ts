import { expect, test } from 'vitest';
import { describeDevice, describePlace } from './device-words.ts';

test.each([
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'phone',
    'Chrome on Android phone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'phone',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    'tablet',
    'Safari on iPad',
  ],
  [
    'Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    'tablet',
    'Chrome on Android tablet',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    'computer',
    'Microsoft Edge on Windows computer',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'computer',
    'Safari on Mac',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'computer', 'Firefox on Linux computer'],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    'computer',
    'Chrome on Chromebook',
  ],
  ['payroll-sync/2.1 (+https://payroll.example)', 'program', 'Program payroll-sync'],
  ['node', 'program', 'Program node'],
  ['<b>x</b>', 'program', 'Program bx'],
  ['   ', 'unknown', 'Unknown device'],
  [null, 'unknown', 'Unknown device'],
])('a device is named in words: %s', (userAgent, kind, name) => {
  expect(describeDevice(userAgent)).toEqual({ kind, name });
});

test.each([
  ['127.0.0.1', 'This computer'],
  ['::1', 'This computer'],
  ['::ffff:127.0.0.1', 'This computer'],
  ['10.1.2.3', 'Local network'],
  ['172.16.0.9', 'Local network'],
  ['172.32.0.9', 'United States (172.32.0.9)'],
  ['8.8.8.8', 'United States (8.8.8.8)'],
  ['::ffff:8.8.8.8', 'United States (8.8.8.8)'],
  ['192.168.1.20', 'Local network'],
  ['fe80::1', 'Local network'],
  ['fd12:3456::1', 'Local network'],
  ['2001:4860:4860::8888', 'United States (2001:4860:4860::8888)'],
  ['240.0.0.1', 'Internet address 240.0.0.1'],
  ['somewhere', 'Place not known'],
  [null, 'Place not known'],
])('a place is named in words: %s', (address, words) => {
  expect(describePlace(address)).toBe(words);
});
