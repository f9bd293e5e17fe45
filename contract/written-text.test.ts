import { expect, test } from 'vitest';
import { canBeFormatted } from './written-text.ts';

const times = (count: number, text: string) => text.repeat(count);

test.each([
  ['quotes in one another', `${times(5000, '>')} a`],
  ['lists in one another', `${times(2000, '- ')}a`],
  ['numbered lists in one another', `${times(1000, '12. ')}a`],
  ['quotes and lists by turns', `${times(700, '> - ')}a`],
  ['signs that open and close', `${times(3000, '*a ')}${times(3000, 'b*')}`],
  ['a sign in each line', times(3000, '*a\n')],
  ['links in one another', `${times(3000, '[')}a${times(3000, '](b)')}`],
  ['pictures', times(3000, '![')],
  ['headings by the line below', times(5000, 'a\n-\n')],
  ['steps down', Array.from({ length: 200 }, (_, depth) => `${times(depth, '  ')}- a\n`).join('')],
  ['items without end', times(5000, '- a\n')],
])('%s are too intricate', (_, text) => {
  expect(canBeFormatted(text)).toBe(false);
});

test.each([
  ['a plain text of the greatest length', times(4000, 'word ')],
  ['a list of two hundred items with bold words', times(200, '- **Open** the breaker\n')],
  ['a numbered list', Array.from({ length: 300 }, (_, index) => `${index + 1}. Step\n`).join('')],
  ['lists in lists', Array.from({ length: 8 }, (_, depth) => `${times(depth, '  ')}- a\n`).join('')],
  ['a quoted mail of a quoted mail', times(200, '>>> as you wrote\n')],
  ['a rule of many signs', `${times(80, '-')}\n${times(80, '=')}\n`],
  ['a table', times(200, '| Step | Hazard |\n')],
])('%s is not', (_, text) => {
  expect(canBeFormatted(text)).toBe(true);
});
