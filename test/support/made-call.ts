import type { Endpoint } from '#contract/endpoint.ts';
import { newId } from '#server/platform/ids.ts';
import type { BuiltPerson } from '../factories/people.ts';
import type { Client, TestApp } from './app.ts';
import { type Sample, sampleOf } from './sample-body.ts';

/** One call that succeeds. An admin makes it unless it names somebody else. Null means nobody is signed in. */
export interface StaffCall {
  as?: BuiltPerson | null;
  params?: Record<string, string | number>;
  body?: Record<string, Sample>;
  /** Sent as it is, in place of a JSON body. */
  bytes?: string;
  headers?: Record<string, string>;
}

export type MakeCall = (server: TestApp, admin: BuiltPerson) => Promise<StaffCall>;

/** Returns the bare answer. */
export function sendCall(client: Client, endpoint: Endpoint, call: StaffCall): Promise<Response> {
  const { params = {}, bytes, headers = {} } = call;
  const address = endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
  if (bytes !== undefined || !endpoint.body) {
    return client.fetch(address, { method: endpoint.method, headers, body: bytes });
  }
  const kind = { 'content-type': 'application/json' };
  return client.fetch(address, { method: endpoint.method, headers: kind, body: bodyOfCall(endpoint, call) });
}

/** Fills what the call leaves out with a plain value of its kind. */
export function bodyOfCall({ body }: Endpoint, call: StaffCall): string {
  const own = `A name of its own ${newId()}`;
  const sample = { ...(body ? (sampleOf(body) as Record<string, Sample>) : {}), ...call.body };
  // Some names must be unique.
  const named = Object.keys(sample).filter((name) => name === 'name' || name === 'title');
  return JSON.stringify({ ...sample, ...Object.fromEntries(named.map((name) => [name, own])) });
}
