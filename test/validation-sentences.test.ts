import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { createResource } from '#contract/resources.ts';
import { buildAdmin } from './factories/people.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { readContract } from './support/contract.ts';
import { type Sample, sampleBodyOf, sampleOf } from './support/sample-body.ts';

const contract = await readContract();
const ofTheLibrary =
  /expected|received|invalid (input|option|key|format|string|url|uuid|iso|date|email)|too (big|small)|unrecognized/i;
/** Sentences that the ledger specifies word for word. */
const specified = ['Invalid URL format'];
const wrong: unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'x',
  'x'.repeat(60_000),
  5,
  -1,
  1.5,
  1e15,
  Number.NaN,
  true,
  {},
  [],
];

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test.each(
  contract.flatMap((endpoint) => {
    const { name, body, query, params } = endpoint;
    const parts: [string, z.ZodType | undefined, Sample][] = [
      ['body', body, body ? sampleBodyOf(endpoint) : null],
      ['query', query, query ? sampleOf(query) : null],
      ['params', params, params ? sampleOf(params) : null],
    ];
    return parts.flatMap(([part, schema, sample]) => (schema ? [[name, part, schema, sample] as const] : []));
  }),
)('what %s says of a wrong %s are our own sentences', (_name, _part, schema, sample) => {
  const sentences = [sample, ...variantsOf(sample)].flatMap(
    (value) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [],
  );
  const ours = sentences.filter((sentence) => !specified.includes(sentence));
  expect(ours.filter((sentence) => ofTheLibrary.test(sentence) || !/^\p{Lu}/u.test(sentence))).toEqual([]);
});

test('what is too long is told as too long, and at its field, wherever a text has a name or a title', async () => {
  const told = contract.flatMap((endpoint) => {
    const body = endpoint.body ? sampleBodyOf(endpoint) : {};
    const fields = Object.keys(body).filter((field) => /^(name|title|firstName|lastName)$/.test(field));
    return fields.map((field) => {
      const parsed = endpoint.body?.safeParse({ ...body, [field]: 'x'.repeat(20_000) });
      return `${endpoint.name} ${field}: ${parsed?.error?.issues.map(({ message }) => message).join(' ')}`;
    });
  });
  expect(told.length).toBeGreaterThan(15);
  expect(told.filter((one) => !/: Use at most [\d,]+ characters\.$/.test(one))).toEqual([]);
});

test('the API answers with the sentence, at the field', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  const facts = { description: null, fileType: 'slide', courseModule: null, program: 'fellowship' } as const;
  const body = { ...facts, title: 'x'.repeat(301), fileUrl: 'https://files.example/a' };
  expect(await admin.refused(createResource, { body })).toMatchObject({
    status: 422,
    problem: {
      detail: 'Use at most 300 characters.',
      errors: [{ path: 'title', message: 'Use at most 300 characters.' }],
    },
  });
});

/** The sample with each of its parts, at any depth, replaced by a value that it cannot be. */
function variantsOf(sample: unknown): unknown[] {
  if (Array.isArray(sample)) {
    return [...wrong, ...sample.flatMap((part, place) => variantsOf(part).map((one) => sample.with(place, one)))];
  }
  if (typeof sample !== 'object' || sample === null) return wrong;
  const parts = Object.entries(sample).flatMap(([name, part]) =>
    variantsOf(part).map((variant) => ({ ...sample, [name]: variant })),
  );
  return [...wrong, ...parts];
}
