import { z } from 'zod';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { Endpoint } from '#contract/endpoint.ts';

type Schema = z.core.JSONSchema.JSONSchema;
export type Sample = z.core.util.JSONType;

/** Formats where the schema alone does not say what passes. */
const textOf: Record<string, string> = {
  email: 'sample@people.example',
  uuid: '00000000-0000-7000-8000-00000000000a',
  date: '2026-03-02',
  'date-time': '2026-03-02T15:00:00Z',
  uri: 'https://example.org/a',
  url: 'https://example.org/a',
};

/** Fields with further checks, wherever they stand. */
const webAddress = 'https://example.org/a';
const valueNamed: Record<string, Sample> = {
  code: '123456',
  password: 'Turbine-Hall-9',
  newPassword: 'Turbine-Hall-9',
  phone: '+1 212 555 0123',
  fileUrl: webAddress,
  moduleName: 'Career Center',
  contentUrl: webAddress,
  zone: 'America/Denver',
};

const wallet = { address: `0x${'a'.repeat(40)}`, signature: `0x${'a'.repeat(130)}` };
/** Endpoints where the kinds of the schema's fields alone do not say what passes. */
const particulars: Record<string, Record<string, Sample>> = {
  answerStipendQuestion: { closes: false, answer: 'It counts from Monday on.' },
  // Otherwise the people of this test could not go on without a second factor.
  changeSignInPolicy: { secondFactorRoles: [], seen: [] },
  createActivity: { sessionTime: '14:30', audiences: ['fellowship'] },
  updateActivity: { sessionTime: '14:30', audiences: ['fellowship'] },
  createCohort: { startDate: '2026-03-02', endDate: '2026-06-19', programmeId: defaultProgrammeId },
  copyProgrammeFacts: { sourceId: defaultProgrammeId },
  createContent: { contentUrl: 'https://example.org/a' },
  updateContent: { contentUrl: 'https://example.org/a' },
  createModule: { moduleType: 'core', trackId: null },
  updateModule: { moduleType: 'core', trackId: null },
  createResource: { programmeId: defaultProgrammeId },
  updateResource: { programmeId: defaultProgrammeId },
  linkWallet: { signature: wallet.signature },
  requestMailSignIn: { next: '/dashboard' },
  requestWalletLink: { address: wallet.address },
  requestWalletSignIn: { address: wallet.address },
  signInByWallet: { signature: wallet.signature },
  saveAvailability: { ranges: [{ dayOfWeek: 1, startTime: '09:00', endTime: '10:00' }] },
  saveBookingSetup: { schedulingLink: 'https://calendly.com/casey/half-hour' },
  updateSession: { status: 'no_show' },
  subscribePush: { keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } },
};

/** A body that the endpoint takes. */
export function sampleBodyOf({ name, body }: Endpoint): Record<string, Sample> {
  if (!body) throw new Error(`${name} has no body.`);
  return { ...(sampleOf(body) as object), ...particulars[name] };
}

/** A body with every field that the schema names, each with a plain value of its kind. */
export function sampleOf(schema: z.ZodType): Sample {
  return valueFor(schemaOf(schema));
}

export function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

function valueFor(schema: Schema): Sample {
  if (schema.const !== undefined) return schema.const as Sample;
  if (schema.enum) return schema.enum[0] as Sample;
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return valueFor(first as Schema);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => valueFor(part as Schema)));
  // A nullable type is a list. Take its other kind.
  const [type] = [schema.type].flat();
  if (type === 'object') return objectOf(schema);
  if (type === 'array') {
    return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => valueFor((schema.items ?? {}) as Schema));
  }
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return text(schema);
}

function objectOf({ properties = {}, propertyNames, additionalProperties }: Schema): Sample {
  const entries = Object.entries(properties);
  // A record schema names its keys here and has one schema for their values.
  const names = typeof propertyNames === 'object' ? (propertyNames.enum ?? []) : [];
  for (const name of names) entries.push([String(name), additionalProperties ?? {}]);
  return Object.fromEntries(entries.map(([name, part]) => [name, valueNamed[name] ?? valueFor(part as Schema)]));
}

function text({ format = '', minLength = 1 }: Schema): string {
  if (textOf[format]) return textOf[format];
  return 'Sample'.padEnd(minLength, 'x');
}
