import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** This file needs the raw answer of an endpoint. It takes the address from the contract. */
const exceptions = ['web/features/imports/send-upload.ts'];
const wayOut = /\bfetch\b(?=\s*[(,;).=])|XMLHttpRequest|EventSource|WebSocket|WebTransport|sendBeacon|tus-js-client/;
/** An address of the server, written out in code. Only the contract may have one. */
const address = /['"`](?:https?:\/\/[^'"`\s]*)?\/(?:api|functions)(?:\/|['"`])/;

test('DATA-29 screens reach the server through web/api only, and no address of it stands outside the contract', () => {
  const files = globSync('web/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$|vite\.config/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const matching = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).sort();
  const reaching = matching(wayOut);
  expect(reaching.filter((file) => !file.startsWith('web/api/'))).toEqual(exceptions);
  expect(reaching.filter((file) => file.startsWith('web/api/'))).toEqual([
    'web/api/call.ts',
    'web/api/download.ts',
    'web/api/early-answers.ts',
    'web/api/live.ts',
    'web/api/upload.ts',
  ]);
  expect(matching(address)).toEqual([]);
});

/** The build leaves them out (web/vite.config.ts). Only types may name them. */
const schemaOfAnswer = /(?<!typeof )\b\w+\.response\b(?!\.(?:ok|headers|status)\b)/;

test('no file that a browser loads looks at the schema of an answer', () => {
  const files = globSync('{web,contract}/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file));
  expect(files.filter((file) => schemaOfAnswer.test(readFileSync(file, 'utf8')))).toEqual(['web/api/call.ts']);
});

test.each([
  "fetch('x')",
  'window.fetch (x)',
  'globalThis.fetch(x)',
  'const send = fetch;',
  'use(fetch)',
  'new WebSocket(x)',
])('a way of its own is noticed: %s', (code) => expect(code).toMatch(wayOut));

test.each(["'/api/users'", '`/functions/x`', '"https://here.example/api/users"', "'/api'"])(
  'an address of its own is noticed: %s',
  (code) => expect(code).toMatch(address),
);
