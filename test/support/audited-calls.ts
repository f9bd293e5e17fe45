import type { BuiltPerson } from '../factories/people.ts';
import type { TestApp } from './app.ts';
import { callsOnRecords } from './calls-on-records.ts';
import { readContract } from './contract.ts';
import { bodyOfCall, sendCall } from './made-call.ts';
import type { startPaymentSystem } from './payment-system.ts';
import type { Sample } from './sample-body.ts';
import { staffCalls } from './staff-calls.ts';

export interface AuditWorld {
  server: TestApp;
  admin: BuiltPerson;
  receiver: Awaited<ReturnType<typeof startPaymentSystem>>;
}

/** The content that the log must have of an act. A null actor is the product. A missing side was empty. */
export interface Told {
  actorId: string | null;
  subjectId: string;
  before?: object;
  after?: object;
  reason?: string;
}

/** Does what one action of the log stands for, and returns what the entry must say. */
export type AuditedAct = (world: AuditWorld) => Promise<Told>;

interface Done {
  actorId: string;
  params: Record<string, string>;
  sent: Record<string, Sample>;
  answer: Record<string, string>;
  world: AuditWorld;
}

const contract = await readContract();

/** Makes a call from the tables of calls, changed as given. */
export function byCall(
  name: string,
  told: (done: Done) => Partial<Told> | Promise<Partial<Told>>,
  change: Record<string, Sample> = {},
): AuditedAct {
  return async (world) => {
    const { server, admin } = world;
    const endpoint = contract.find((candidate) => candidate.name === name);
    const call = await (staffCalls[name] ?? callsOnRecords[name])?.(server, admin);
    if (!endpoint || !call) throw new Error(`${name} is in no table of calls.`);
    const sent = endpoint.body ? { ...JSON.parse(bodyOfCall(endpoint, call)), ...change } : {};
    const actor = call.as === undefined ? admin : call.as;
    const body = endpoint.body
      ? { bytes: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }
      : { headers: call.headers };
    const answered = await sendCall(await server.as(actor), endpoint, { ...call, ...body });
    const text = await answered.text();
    if (!answered.ok) throw new Error(`${name} answered ${answered.status}: ${text}`);
    const params = Object.fromEntries(Object.entries(call.params ?? {}).map(([key, value]) => [key, String(value)]));
    const answer = JSON.parse(text);
    const subjectId = params.participantId ?? params.id ?? answer.id;
    const actorId = actor?.id ?? '';
    return { actorId, subjectId, ...(await told({ actorId, params, sent, answer, world })) };
  };
}

/** An act whose entry has the given fields in `after`, as sent. */
export function writing(name: string, ...fields: string[]): AuditedAct {
  return byCall(name, ({ sent }) => ({ after: only(sent, fields) }));
}

/** An act whose entry has the field's old text in `before` and its new text in `after`. */
export function rewriting(name: string, field: string): AuditedAct {
  return byCall(name, ({ sent }) => ({ before: { [field]: otherThan(sent[field]) }, after: only(sent, [field]) }));
}

export function only(facts: Record<string, Sample>, fields: string[]): Record<string, Sample | undefined> {
  return Object.fromEntries(fields.map((field) => [field, facts[field]]));
}

/** Matches any present value except the given one. */
export function otherThan(value: unknown) {
  return {
    asymmetricMatch: (found: unknown) => found !== undefined && JSON.stringify(found) !== JSON.stringify(value),
    toString: () => 'otherThan',
    getExpectedType: () => 'anything else',
    toAsymmetricMatcher: () => `other than ${JSON.stringify(value)}`,
  };
}
