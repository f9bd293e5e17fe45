import { z } from 'zod';
import { endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';

/** Ways in which people show who they are. */
export const ProofWay = z.enum(['password', 'mail', 'provider', 'passkey', 'wallet', 'second_factor', 'mailed_code']);
export type ProofWay = z.infer<typeof ProofWay>;

/**
 * A sign-in or a further proof in a session, each given or refused, or the end of a session. It is kept for 90 days.
 */
export const SignInRecord = z.object({
  id: Id,
  at: Instant,
  kind: z.enum(['sign_in', 'refusal', 'proof', 'refused_proof', 'end']),
  /** It is null for ends, and for sign-ins from before it was recorded. */
  way: ProofWay.nullable(),
  /** It is in words, such as 'Chrome on Android phone'. */
  device: z.string(),
  /** It is in words, such as 'Local network'. */
  place: z.string(),
  /** The IP address. It is null if none was known. */
  address: z.string().nullable(),
});
export type SignInRecord = z.infer<typeof SignInRecord>;

const Page = { query: z.object({ cursor: Id.optional() }), response: pageOf(SignInRecord) };

export const listSignIns = endpoint({
  name: 'listSignIns',
  method: 'GET',
  path: '/api/account/sign-ins',
  access: 'account.own',
  summary: 'Who signed in to the own account, was refused, proved more or left, in the last 90 days; newest first.',
  shows: ['sign-ins'],
  ...Page,
});

export const listSignInsOfPerson = endpoint({
  name: 'listSignInsOfPerson',
  method: 'GET',
  path: '/api/users/:id/sign-ins',
  access: 'users.manage',
  summary: 'The same of somebody, for admins.',
  shows: ['sign-ins'],
  params: IdParams,
  ...Page,
});

const wayInWords = {
  password: 'password',
  mail: 'link or code by email',
  provider: 'another account',
  passkey: 'passkey',
  wallet: 'wallet',
  second_factor: 'second factor',
  mailed_code: 'code by email',
} satisfies Record<ProofWay, string>;

const kindInWords = {
  sign_in: 'Signed in',
  refusal: 'Sign-in refused',
  proof: 'Confirmed again',
  refused_proof: 'Confirmation refused',
  end: 'Session ended',
} satisfies Record<SignInRecord['kind'], string>;

/** Returns the record as a list shows it: 'Signed in: password', and below it the place and the device. */
export function signInRecordInWords({ id, at, kind, way, device, place, address }: SignInRecord) {
  const title = way === null ? kindInWords[kind] : `${kindInWords[kind]}: ${wayInWords[way]}`;
  return { id, at, title, note: `${device} · ${address === null ? place : `${place} (${address})`}` };
}
