import { z } from 'zod';

type Schema = z.core.JSONSchema.JSONSchema;
export type Sample = z.core.util.JSONType;

/** Where the schema alone does not say what passes. */
const textOf: Record<string, string> = {
  email: 'sample@people.example',
  uuid: '00000000-0000-7000-8000-00000000000a',
  date: '2026-03-02',
  'date-time': '2026-03-02T15:00:00Z',
  uri: 'https://example.org/a',
  url: 'https://example.org/a',
};

/** Fields that are checked beyond their kind, wherever they stand. */
const webAddress = 'https://example.org/a';
const valueNamed: Record<string, Sample> = {
  code: '123456',
  phone: '+1 212 555 0123',
  fileUrl: webAddress,
  contentUrl: webAddress,
};

/** A body that has every field which the schema names, each with a plain value of its kind. */
export function sampleOf(schema: z.ZodType): Sample {
  return valueFor(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

function valueFor(schema: Schema): Sample {
  if (schema.const !== undefined) return schema.const as Sample;
  if (schema.enum) return schema.enum[0] as Sample;
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return valueFor(first as Schema);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => valueFor(part as Schema)));
  if (schema.type === 'object') return objectOf(schema);
  if (schema.type === 'array') {
    return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => valueFor((schema.items ?? {}) as Schema));
  }
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'null') return null;
  return text(schema);
}

function objectOf({ properties = {} }: Schema): Sample {
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, valueNamed[name] ?? valueFor(part as Schema)]),
  );
}

function text({ format = '', minLength = 1 }: Schema): string {
  if (textOf[format]) return textOf[format];
  return 'Sample'.padEnd(minLength, 'x');
}
