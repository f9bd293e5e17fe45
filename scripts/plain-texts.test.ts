import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findSourceFiles } from './import-graph.ts';
import { sentencesOf } from './spoken-words.ts';

/** What people read: on screens, in emails, files and refusals. Not the demo's people, nor what only tests read. */
const spokenIn = findSourceFiles('.').filter(
  (file) => /^(contract|server|web)\//.test(file) && !/\.(test|gen|d)\.tsx?$|^server\/db\/|config\.ts$/.test(file),
);
/** SQL and code in quotes. */
const isCode = /^[a-z]\w*\.\w+ as \w+$|^[a-z]\w* as \w+$|^\w+ (?:in|from|to)$/;
const spoken = spokenIn.flatMap((file) =>
  sentencesOf(readFileSync(file, 'utf8'), file)
    .filter(({ text }) => !isCode.test(text))
    .map(({ line, text }) => ({ at: `${file}:${line}`, text })),
);

test.each<[name: string, refused: RegExp, fixed?: RegExp]>([
  // The specification names the screen and the label so.
  [
    'British spelling',
    /\b(?:programmes?|enrol|enrols|enrolments?)\b/i,
    /Programme Setup|programme setup|Applicable Programmes/,
  ],
  ['British letters', /\b(?:colour|favourite|behaviour|centre|cheque|organis|recognis)/i],
  ['"any more", which is "no longer" or "anymore"', /\bany more\b/i],
  ['"anew" and "meanwhile", which nobody says', /\b(?:anew|meanwhile)\b/i, /ledger was written anew/],
  [
    'translated words',
    /\b(?:of this name|is not there\b|are not there\b|comes? to lie|hangs? on|by now)\b/i,
    /whose hash was kept/,
  ],
  ['the system, where people come first', /\binstance\b/i],
  [
    // Who reads these runs the server. The specification fixes the one about the connection.
    'the server',
    /\bservers?\b/i,
    /mail server|^Server error$|Unable to connect to the server\.|in the server's log|^server$/,
  ],
  ['a number without separators', /\b\d{4,}\b/, /\b(?:20\d\d|RFC 9457|31536000)\b|Maximum 1000 records/],
])('no text has %s', (_, refused, fixedWords) => {
  expect(spoken.length).toBeGreaterThan(4000);
  const found = spoken.filter(({ text }) => refused.test(text) && !fixedWords?.test(text));
  expect(found.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
});

/** Counts that may pass 999. `counted` and `toLocaleString` write them with separators. */
const bareCount =
  /\{[\w.?]+(?: \?\? 0)?\} (?:people|participants|stipends|records|files|rows|entries|messages|submissions|users|others|places|more|unread|waiting|found|left)\b(?![=\]])/;
/** Limits that are written down, what one week or day holds, and a word. */
const isSmall = /\{(?:most\w*(?:\.\w+)?|left|missing|untouched|things)\}|\+\{more\}/;

test('counts in texts have separators', () => {
  const bare = spokenIn.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const [hit] = bareCount.exec(line) ?? [];
        return hit && !isSmall.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [];
      }),
  );
  expect(bare).toEqual([]);
});
