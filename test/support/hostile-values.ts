import fc from 'fast-check';

/** A schema as the OpenAPI document has it. */
export interface DocumentedSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: DocumentedSchema[];
  oneOf?: DocumentedSchema[];
  allOf?: DocumentedSchema[];
  properties?: Record<string, DocumentedSchema>;
  additionalProperties?: DocumentedSchema | boolean;
  items?: DocumentedSchema;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}
export type NamedSchemas = Record<string, DocumentedSchema>;

const deepest = 4;

/** Stands for the id of a record, which is known only when the request is sent. */
export const idMarkOf = (name: string) => fc.nat(9999).map((index) => `@id:${name}:${index}`);
/** Stands for a value that is too large to be printed with a failure. */
const largeMark = fc.constantFrom('@deep:50', '@deep:5000', '@list:101', '@list:20000');

/** Puts ids and large values into a text of JSON, where it has marks for them. */
export function withoutMarks(text: string, idOf: (name: string, index: number) => string): string {
  return text
    .replace(/"@id:(\w*):(\d+)"/g, (_, name: string, index: string) => JSON.stringify(idOf(name, Number(index))))
    .replace(/"@deep:(\d+)"/g, (_, depth: string) => `${'{"a":['.repeat(Number(depth))}${']}'.repeat(Number(depth))}`)
    .replace(/"@list:(\d+)"/g, (_, length: string) =>
      JSON.stringify(Array.from({ length: Number(length) }, () => 'x')),
    );
}

const oddTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202egnp.exe',
  '\u200b',
  '\ufeff',
  'e\u0301'.repeat(40),
  '👩‍👩‍👧‍👦'.repeat(30),
  'null',
  'undefined',
  'NaN',
  'true',
  '-0',
  '1e999',
  '0x10',
  "' or 1=1 --",
  "'; drop table profiles; --",
  '%',
  '_',
  '\\',
  '#{7*7}{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  'javascript:alert(1)',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  '=1+1',
  'a\r\nset-cookie: a=b',
  '__proto__',
  'constructor',
  '0000-00-00',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59+14:00',
  '+275760-09-13T00:00:00Z',
  '2026-02-30',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-7000-8000-00000000000A',
  'MTIzXzQ1Ng',
  'x'.repeat(5000),
  '٠١٢٣',
];

export const oddText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
);

const oddNumber = fc.constantFrom(
  -1,
  0,
  0.1,
  -0.5,
  1e21,
  1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  99_999_999_999,
  Number.MIN_VALUE,
);

/** Objects whose keys mean something to JavaScript or to a database of documents. */
const oddObject = fc.constantFrom(
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{"role":"admin"}}}',
  '{"toString":1,"valueOf":1,"hasOwnProperty":1}',
  '{"$ne":null}',
  '{"length":4294967295}',
  '{"then":true}',
  '{"toJSON":"x"}',
  '{}',
);

/** Values of other kinds than the place asks for. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: oddNumber },
  { weight: 2, arbitrary: oddObject.map((text) => JSON.parse(text) as unknown) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], [null], [[]]) },
  { weight: 1, arbitrary: fc.array(oddText, { maxLength: 3 }) },
  { weight: 1, arbitrary: largeMark },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Values that the schema allows, its limits among them. Here and there one that it forbids. */
export function documentedValue(
  schema: DocumentedSchema,
  named: NamedSchemas,
  name = '',
  depth = 0,
): fc.Arbitrary<unknown> {
  const weight = depth === 0 ? 30 : 15;
  return fc.oneof({ weight, arbitrary: allowed(schema, named, name, depth) }, { weight: 1, arbitrary: oddValue });
}

function allowed(schema: DocumentedSchema, named: NamedSchemas, name: string, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref) return documentedValue(named[schema.$ref.split('/').at(-1) ?? ''] ?? {}, named, name, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const kinds = schema.anyOf ?? schema.oneOf;
  if (kinds) return fc.oneof(...kinds.map((kind) => documentedValue(kind, named, name, depth + 1)));
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => documentedValue(part, named, name, depth + 1));
    return fc.tuple(...parts).map((values) => Object.assign({}, ...values) as unknown);
  }
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return oddValue;
  return fc.oneof(...types.map((type) => ofType(type, schema, named, name, depth)));
}

function ofType(
  type: string,
  schema: DocumentedSchema,
  named: NamedSchemas,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  if (type === 'object') return objectOf(schema, named, depth);
  if (type === 'array') return arrayOf(schema, named, name, depth);
  if (type === 'integer') return integerOf(schema);
  if (type === 'number') return fc.oneof(integerOf(schema), fc.double({ noNaN: true, noDefaultInfinity: true }));
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return textOf(schema, name);
}

function objectOf({ properties = {}, additionalProperties }: DocumentedSchema, named: NamedSchemas, depth: number) {
  if (depth > deepest) return fc.constant({});
  const fields = Object.entries(properties).map(([name, part]) => [
    name,
    documentedValue(part, named, name, depth + 1),
  ]);
  const known = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>);
  if (typeof additionalProperties !== 'object') return known;
  const others = fc.dictionary(
    fc.string({ maxLength: 12 }),
    documentedValue(additionalProperties, named, '', depth + 1),
    {
      maxKeys: 3,
    },
  );
  return fc.tuple(others, known).map(([more, own]) => ({ ...more, ...own }));
}

function arrayOf({ items = {}, minItems = 0 }: DocumentedSchema, named: NamedSchemas, name: string, depth: number) {
  const minLength = Math.min(minItems, 3);
  return fc.array(documentedValue(items, named, name, depth + 1), {
    minLength,
    maxLength: depth > deepest ? minLength : minLength + 2,
  });
}

function integerOf({ minimum = -1000, maximum = Math.max(minimum, 1_000_000) }: DocumentedSchema) {
  return fc.oneof(fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }), fc.constantFrom(minimum, maximum));
}

const textsOf: Record<string, fc.Arbitrary<string>> = {
  email: fc.oneof(fc.constant('robin@people.example'), fc.emailAddress()),
  uri: fc.oneof(fc.constant('https://example.org/a'), fc.webUrl({ withFragments: true, withQueryParameters: true })),
  date: dayOf('2025-01-01', '2027-12-31'),
  'date-time': instantOf('2025-01-01', '2027-12-31'),
};

function textOf({ format = '', pattern, minLength = 0, maxLength = 200 }: DocumentedSchema, name: string) {
  if (format === 'uuid') return idMarkOf(name);
  const known = textsOf[format];
  if (known) return known;
  // fast-check cannot read this kind of pattern, which only addresses within the product have.
  if (pattern?.includes('(?!'))
    return fc.constantFrom('/', '/dashboard', '//elsewhere.example', '/\\elsewhere.example');
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const longest = Math.min(maxLength, 20_000);
  const text = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(longest, minLength + 30) });
  return fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(minLength, longest).map((length) => 'x'.repeat(length)) },
  );
}

function dayOf(from: string, to: string) {
  return fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true }).map((at) => {
    const [day = ''] = at.toISOString().split('T');
    return day;
  });
}

function instantOf(from: string, to: string) {
  return fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true }).map((at) => at.toISOString());
}
