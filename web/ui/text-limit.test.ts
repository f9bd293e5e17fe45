import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { reviewSubmission } from '#contract/reviews.ts';
import { limitOf } from './text-limit.ts';

test('a limit is read from the contract, however its field is wrapped', () => {
  const wrapped = z.object({
    line: z.string().trim().max(7).nullable().optional(),
    changed: z
      .string()
      .max(8)
      .transform((text) => text || null),
    late: z.preprocess((given) => given, z.string().max(9)),
    endless: z.string(),
  });
  expect(limitOf(wrapped, 'line')).toBe(7);
  expect(limitOf(wrapped, 'changed')).toBe(8);
  expect(limitOf(wrapped, 'late')).toBe(9);
  expect(limitOf(wrapped.refine(Boolean), 'line')).toBe(7);
  expect(limitOf(reviewSubmission.body, 'feedback')).toBe(20_000);
  expect(() => limitOf(wrapped, 'endless')).toThrow("The contract has no limit for 'endless'.");
});

/** Fields that people type text into. A password is never cut, and its form says what is wrong with it. */
const fields =
  'TextInput|Textarea|Autocomplete|TagsInput|JsonInput|LongText|WholeLine|ReasonForm|\\w*TextField|SuggestedField';
/** A limit means nothing for a day, a time, a number, or a field that nobody can type into. */
const isNoText =
  /\btype="(?:date|time|number)"|\breadOnly\b(?!=)|\bdisabled\b(?!=)|\btype=\{type\}|\binputMode="decimal"/;
/** The limit comes from the contract, or a component passes it on to a field of web/ui. */
const isLimited = /\bmaxLength=\{(?:limitOf\(|maxLength\}|longest[A-Z]\w*\})/;

/** The opening tags of text fields, from their name to the bracket that ends them. */
function fieldsIn(code: string): string[] {
  return [...code.matchAll(new RegExp(`<(?:${fields})\\b(?!Props)`, 'g'))].map(({ index }) => {
    let depth = 0;
    let end = index;
    while (depth > 0 || code[end] !== '>' || code[end - 1] === '=') {
      if (code[end] === '{') depth += 1;
      if (code[end] === '}') depth -= 1;
      end += 1;
    }
    return code.slice(index, end);
  });
}

test('every text field of a screen has the limit of the contract, and only texts of sentences are many lines', () => {
  // That file makes the fields that never cut.
  const files = globSync('web/**/*.tsx').filter((file) => !/\.test\.|^web\/ui\/LongText/.test(file));
  const found = files.flatMap((file) => fieldsIn(readFileSync(file, 'utf8')).map((field) => ({ file, field })));
  expect(found.length).toBeGreaterThan(90);
  const unlimited = found.filter(({ field }) => !isLimited.test(field) && !isNoText.test(field));
  expect(unlimited.map(({ file, field }) => `${file} ${field.replaceAll(/\s+/g, ' ').slice(0, 80)}`)).toEqual([]);
  const cut = found.filter(({ field }) => field.startsWith('<Textarea') && !isNoText.test(field));
  expect(cut.map(({ file }) => file)).toEqual([]);
  const isWritten = (code: string) =>
    /maxLength=\{?["\d]/.test(code) || (code.includes('maxLength={longest') && /const longest\w+ = \d/.test(code));
  const written = files.filter((file) => isWritten(readFileSync(file, 'utf8')));
  expect(written).toEqual([]);
});

test('each limit that a screen reads is there', async () => {
  const parts = globSync('contract/*.ts').filter((file) => !file.includes('.test.'));
  const contract = Object.assign({}, ...(await Promise.all(parts.map((file) => import(path.resolve(file))))));
  const code = globSync('web/features/**/*.tsx').map((file) => readFileSync(file, 'utf8'));
  const read = code.flatMap((text) => [...text.matchAll(/limitOf\((\w+)(\.body)?(?:, '(\w+)')?\)/g)]);
  expect(read.length).toBeGreaterThan(70);
  for (const [text, name = '', ofBody, field] of read) {
    const schema = ofBody ? contract[name].body : contract[name];
    expect(() => limitOf(schema, field as never), text).not.toThrow();
  }
});
