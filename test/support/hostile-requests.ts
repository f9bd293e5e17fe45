import fc from 'fast-check';
import {
  type DocumentedSchema,
  documentedValue,
  idMarkOf,
  type NamedSchemas,
  oddText,
  oddValue,
  withoutMarks,
} from './hostile-values.ts';

export interface DocumentedOperation {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  access: string | string[];
  /** Of the replies that it names by their status. */
  statuses: number[];
  parameters: { in: 'path' | 'query'; name: string; schema: DocumentedSchema; required?: boolean }[];
  body?: DocumentedSchema;
}

/** What an honest client would send. */
export interface HonestRequest {
  params: Record<string, string>;
  body?: Record<string, unknown>;
  /** Sent as it is, in place of a JSON body. */
  bytes?: string;
  headers: Record<string, string>;
}

export interface SentRequest {
  method: DocumentedOperation['method'];
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

/** How the request differs from the honest one. It names no record, so it can be made again on other records. */
export interface Wish {
  params: Record<string, Kept | { text: string }>;
  query: [string, string][];
  body: { kind: 'fields'; fields: Record<string, Kept | { value: unknown }>; more: Record<string, unknown> } | OddBody;
  headers: Record<string, string>;
}
type Kept = 'kept' | 'missing';
type OddBody = { kind: 'value'; value: unknown } | { kind: 'text'; text: string } | { kind: 'cut'; share: number };

interface AnswerDocument {
  paths: Record<string, Record<string, DocumentedPart>>;
  components: { schemas: NamedSchemas };
}
interface DocumentedPart {
  operationId: string;
  'x-access': string | string[];
  responses: object;
  parameters?: DocumentedOperation['parameters'];
  requestBody?: { content: Record<string, { schema: DocumentedSchema }> };
}

/** Every operation of the OpenAPI document. */
export function operationsOf(document: unknown): DocumentedOperation[] {
  const { paths } = document as AnswerDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, part]) => ({
      operationId: part.operationId,
      method: method.toUpperCase() as DocumentedOperation['method'],
      path,
      access: part['x-access'],
      statuses: Object.keys(part.responses).map(Number),
      parameters: part.parameters ?? [],
      body: part.requestBody?.content['application/json']?.schema,
    })),
  );
}

export function namedSchemasOf(document: unknown): NamedSchemas {
  return (document as AnswerDocument).components.schemas;
}

/** Requests to the operation: some honest, most broken in one or two places. */
export function wishesOn({ parameters, body }: DocumentedOperation, named: NamedSchemas): fc.Arbitrary<Wish> {
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  return fc.record({
    params: fc.record(Object.fromEntries(inPath.map(({ name, schema }) => [name, pathWish(name, schema, named)]))),
    query: queryWish(inQuery, named),
    body: bodyWish(body, named),
    headers: headerWish,
  });
}

/** Nothing is changed, and nothing is asked for but what must be. */
export function honestWishOn({ parameters }: DocumentedOperation, named: NamedSchemas): fc.Arbitrary<Wish> {
  const needed = parameters.filter((one) => one.in === 'query' && one.required);
  return fc.record({
    params: fc.constant({}),
    query: fc.tuple(
      ...needed.map(({ name, schema }) =>
        documentedValue(schema, named, name).map((value): [string, string] => [name, asText(value).text]),
      ),
    ),
    body: fc.constant({ kind: 'fields' as const, fields: {}, more: {} }),
    headers: fc.constant({}),
  });
}

function pathWish(name: string, schema: DocumentedSchema, named: NamedSchemas): fc.Arbitrary<Kept | { text: string }> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant('kept' as const) },
    { weight: 3, arbitrary: documentedValue(schema, named, name).map(asText) },
    { weight: 1, arbitrary: idMarkOf('').map(asText) },
    { weight: 1, arbitrary: oddText.map(asText) },
  );
}

function queryWish(known: DocumentedOperation['parameters'], named: NamedSchemas): fc.Arbitrary<[string, string][]> {
  const own = known.map(({ name, schema, required }) => {
    const [absent, given, odd] = required ? [1, 30, 3] : [12, 8, 1];
    return fc.oneof(
      { weight: absent, arbitrary: fc.constant([]) },
      { weight: given, arbitrary: documentedValue(schema, named, name).map((value) => [[name, asText(value).text]]) },
      { weight: odd, arbitrary: oddText.map((text) => [[name, text]]) },
      { weight: odd, arbitrary: fc.tuple(oddText, oddText).map((texts) => texts.map((text) => [name, text])) },
    ) as fc.Arbitrary<[string, string][]>;
  });
  const unknown = fc.oneof(
    { weight: 8, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('__proto__', 'role', 'id[]', 'a[b]', ''), oddText).map((one) => [one]),
    },
  ) as fc.Arbitrary<[string, string][]>;
  return fc.tuple(unknown, ...own).map((parts) => parts.flat());
}

function bodyWish(schema: DocumentedSchema | undefined, named: NamedSchemas): fc.Arbitrary<Wish['body']> {
  const odd: fc.Arbitrary<OddBody> = fc.oneof(
    fc.record({ kind: fc.constant('value' as const), value: oddValue }),
    fc.record({
      kind: fc.constant('text' as const),
      text: fc.oneof(
        oddText,
        fc.constantFrom(
          '{"a":1',
          '[',
          '{"a":1,"a":2}',
          '{"id":"@id::1","__proto__":{"role":"admin"}}',
          '9'.repeat(400),
        ),
      ),
    }),
    fc.record({ kind: fc.constant('cut' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  );
  const whole = schema ? documentedValue(schema, named) : fc.constant({});
  const asDocumented = fc.record({ kind: fc.constant('value' as const), value: whole });
  return fc.oneof(
    { weight: 14, arbitrary: fieldsWish(schema?.properties ?? {}, named) },
    { weight: 2, arbitrary: asDocumented },
    { weight: 2, arbitrary: odd },
  );
}

function fieldsWish(properties: Record<string, DocumentedSchema>, named: NamedSchemas): fc.Arbitrary<Wish['body']> {
  // So one of three bodies keeps all its fields, however many they are.
  const kept = 4 * Math.max(1, Object.keys(properties).length);
  const fields = Object.entries(properties).map(([name, part]) => [
    name,
    fc.oneof(
      { weight: kept, arbitrary: fc.constant('kept' as const) },
      { weight: 1, arbitrary: fc.constant('missing' as const) },
      { weight: 2, arbitrary: documentedValue(part, named, name).map((value) => ({ value })) },
      { weight: 1, arbitrary: oddValue.map((value) => ({ value })) },
    ),
  ]);
  return fc.record({
    kind: fc.constant('fields' as const),
    fields: fc.record(Object.fromEntries(fields)),
    more: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('id', 'role', 'status', 'version', 'userId'), oddValue) },
      { weight: 1, arbitrary: fc.constant(JSON.parse('{"__proto__":{"role":"admin"}}') as Record<string, unknown>) },
    ),
  });
}

const headerWish: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 10, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/xml' },
      { 'content-type': '' },
      { 'content-encoding': 'gzip' },
      { accept: 'text/html' },
      { 'accept-encoding': 'br;q=x, zstd, *' },
      { 'if-none-match': '*' },
      { 'if-modified-since': 'never' },
      { range: 'bytes=5-1' },
      { range: 'bytes=0-0,1-1,2-2,3-3,4-4' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-forwarded-for': '1.2.3.4, not an address' },
      { 'x-forwarded-host': 'elsewhere.example' },
      { 'x-forwarded-proto': 'gopher' },
      { authorization: 'Bearer null' },
      { authorization: `Bearer ${'x'.repeat(4000)}` },
      { 'x-requested-with': '' },
      { 'upload-length': '-1' },
      { 'upload-length': '99999999999999' },
      { 'upload-offset': 'NaN' },
      { 'upload-metadata': 'filename ####,area' },
      { 'tus-resumable': '9.9.9' },
    ),
  },
);

/** The request that is sent: the honest one, changed as the wish says. */
export function requestFor(
  { method, path }: DocumentedOperation,
  honest: HonestRequest,
  wish: Wish,
  idOf: (name: string, index: number) => string,
): SentRequest {
  const named = (text: string) => JSON.parse(withoutMarks(JSON.stringify(text), idOf)) as string;
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const wished = wish.params[name];
    const text = typeof wished === 'object' ? named(wished.text) : (honest.params[name] ?? '');
    return encodeURIComponent(text.toWellFormed());
  });
  const search = new URLSearchParams(wish.query.map(([name, text]): [string, string] => [name, named(text)]));
  const { payload, headers } = bodyOf(method, honest, wish.body);
  return {
    method,
    url: search.size > 0 ? `${at}?${search}` : at,
    headers: { ...headers, ...honest.headers, ...wish.headers },
    ...(payload === undefined ? {} : { payload: withoutMarks(payload, idOf) }),
  };
}

function bodyOf(method: string, honest: HonestRequest, wish: Wish['body']) {
  if (method === 'GET') return { headers: {} };
  const json = { 'content-type': 'application/json' };
  const whole = honest.bytes ?? JSON.stringify(honest.body);
  if (wish.kind === 'text') return { payload: wish.text.toWellFormed(), headers: json };
  if (wish.kind === 'cut') return { payload: whole?.slice(0, Math.floor(whole.length * wish.share)), headers: json };
  if (wish.kind === 'value') return { payload: JSON.stringify(wish.value), headers: json };
  if (honest.bytes !== undefined) return { payload: honest.bytes, headers: {} };
  const changed = Object.entries(wish.fields).filter(([, field]) => field !== 'kept');
  if (!honest.body && changed.length === 0 && Object.keys(wish.more).length === 0) return { headers: {} };
  const gone = new Set(changed.flatMap(([name, field]) => (field === 'missing' ? [name] : [])));
  const values = changed.flatMap(([name, field]) => (typeof field === 'object' ? [[name, field.value] as const] : []));
  const kept = Object.entries(honest.body ?? {}).filter(([name]) => !gone.has(name));
  const fields = new Map([...Object.entries(wish.more), ...kept, ...values]);
  return { payload: textOfFields(fields), headers: json };
}

/** Writes `__proto__` as a name like others. */
function textOfFields(fields: Map<string, unknown>): string {
  const parts = [...fields].flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`],
  );
  return `{${parts.join(',')}}`;
}

function asText(value: unknown): { text: string } {
  return { text: typeof value === 'string' ? value : JSON.stringify(value) };
}
