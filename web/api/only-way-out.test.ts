import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Needs the raw answer of an endpoint of the contract, whose address it takes from there. */
const exceptions = ['web/features/imports/send-upload.ts'];
const wayOut = /(?<![.\w])fetch\(|XMLHttpRequest|new EventSource|new WebSocket|sendBeacon|tus-js-client/;

test('DATA-29 screens reach the server through web/api only', () => {
  const files = globSync('web/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const reaching = files.filter((file) => wayOut.test(readFileSync(file, 'utf8'))).sort();
  expect(reaching.filter((file) => !file.startsWith('web/api/'))).toEqual(exceptions);
  expect(reaching.filter((file) => file.startsWith('web/api/'))).toEqual([
    'web/api/call.ts',
    'web/api/download.ts',
    'web/api/live.ts',
    'web/api/upload.ts',
  ]);
  for (const file of exceptions) {
    expect(readFileSync(file, 'utf8'), `${file} takes its address from the contract`).not.toMatch(
      /['"`]\/(api|functions)/,
    );
  }
});
