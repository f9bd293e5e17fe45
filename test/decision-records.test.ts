import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'docs/decisions';
const records = readdirSync(folder)
  .toSorted()
  .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }));

test('decision records are numbered without a gap, in their name and their title', () => {
  const numbers = records.map(({ name, text }) => [Number(name.slice(0, 4)), Number(/^# (\d+)\. /.exec(text)?.[1])]);
  expect(numbers).toEqual(records.map((_, index) => [index + 1, index + 1]));
});

test('decision records have one set of headings, in one order', () => {
  const headings = ['Context', 'Decision', 'Consequences', 'Refused'];
  const found = records.map(({ name, text }) => [
    name,
    [...text.matchAll(/^#+ (.*)$/gm)].slice(1).map(([, words]) => words),
  ]);
  const expected = found.map(([name, words]) => [name, headings.filter((heading) => words?.includes(heading))]);
  expect(found).toEqual(expected);
});
