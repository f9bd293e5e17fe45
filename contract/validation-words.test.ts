import { expect, test } from 'vitest';
import { z } from 'zod';
// This import gives every schema of the contract its words.
import './endpoint.ts';

const moment = new Date('2026-03-02T15:00:00Z');

test.each<[string, z.ZodType, unknown, string]>([
  ['nothing', z.string(), undefined, 'This is required.'],
  ['nothing for a number', z.number(), null, 'This is required.'],
  ['a number for a text', z.string(), 5, 'Enter text.'],
  ['a text for a number', z.number(), 'five', 'Enter a number.'],
  ['a text for a number of an address', z.coerce.number(), 'five', 'Enter a number.'],
  ['a part of a number', z.int(), 1.5, 'Enter a whole number.'],
  ['a text for a yes or no', z.boolean(), 'yes', 'Choose yes or no.'],
  ['a text for a date', z.date(), 'today', 'Enter a date.'],
  ['a text for a list', z.array(z.string()), 'one', 'Give this as a list.'],
  ['a text for fields', z.object({}), 'one', 'Give this as a set of fields.'],
  ['a text for named values', z.record(z.string(), z.string()), 'one', 'Give this as a set of fields.'],
  ['a text that is too long', z.string().max(2000), 'x'.repeat(2001), 'Use at most 2,000 characters.'],
  ['an empty text', z.string().min(1), '', 'This is required.'],
  ['a text that is too short', z.string().min(8), 'short', 'Use at least 8 characters.'],
  ['a number that is too large', z.number().max(10), 11, 'Enter 10 or less.'],
  ['a number at its limit', z.number().lt(10), 10, 'Enter less than 10.'],
  ['a number that is too small', z.number().min(1), 0, 'Enter 1 or more.'],
  ['nothing of what must be more', z.number().gt(0), 0, 'Enter more than 0.'],
  ['a date that is too late', z.date().max(moment), new Date('2027-01-01'), 'Choose an earlier date.'],
  ['a date that is too early', z.date().min(moment), new Date('2025-01-01'), 'Choose a later date.'],
  ['too many', z.array(z.string()).max(1), ['a', 'b'], 'Choose at most 1.'],
  ['none', z.array(z.string()).min(1), [], 'Choose at least 1.'],
  ['another number of steps', z.number().multipleOf(0.5), 1.2, 'Enter a multiple of 0.5.'],
  ['no address', z.email(), 'ana', 'Enter a valid email address.'],
  ['an empty address', z.email(), '', 'This is required.'],
  ['no web address', z.url(), 'ana', 'Enter a full web address, like https://example.org.'],
  ['no id', z.uuid(), 'ana', 'This is not a valid ID.'],
  ['no day', z.iso.date(), '3/2/2026', 'Enter a date like 2026-03-02.'],
  ['no instant', z.iso.datetime({ offset: true }), 'noon', instant()],
  ['no hour', z.iso.time({ precision: -1 }), 'noon', 'Enter a time like 14:30.'],
  ['another form', z.string().regex(/^\d+$/), 'a', 'This is not filled in correctly.'],
  ['none of the choices', z.enum(['coach', 'admin']), 'guest', 'Choose one of these: coach, admin.'],
  ['no choice', z.enum(['coach', 'admin']), undefined, 'This is required.'],
  ['none of two kinds', z.union([z.string(), z.number()]), true, 'This is not filled in correctly.'],
  ['an unknown field', z.strictObject({}), { a: 1 }, 'These fields are not known here: a.'],
  ['a wrong name', z.record(z.string().regex(/^a$/), z.string()), { b: 'x' }, 'This is not filled in correctly.'],
  ['what a rule refuses', z.string().refine(() => false), 'x', 'This is not filled in correctly.'],
])('%s is told in a sentence of ours', (_, schema, value, sentence) => {
  const messages = schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
  expect(messages[0]).toBe(sentence);
});

test('words that a schema has of its own stay', () => {
  expect(z.string('Name it.').safeParse(undefined).error?.issues[0]?.message).toBe('Name it.');
  expect(z.string().min(1, 'Name it.').safeParse('').error?.issues[0]?.message).toBe('Name it.');
});

function instant() {
  return 'Enter a date and time with a time zone, like 2026-03-02T15:00:00Z.';
}
