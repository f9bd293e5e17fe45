import { z } from 'zod';
import { Done, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';

/** A place where somebody is signed in. It has neither the token nor anything that could make one. */
export const SessionPlace = z.object({
  id: Id,
  /** It is in words, such as 'Chrome on Android phone'. */
  device: z.string(),
  deviceKind: z.enum(['phone', 'tablet', 'computer', 'program', 'unknown']),
  /** It is in words, such as 'Local network'. */
  place: z.string(),
  beganAt: Instant,
  /** It may be some minutes off. */
  lastUsedAt: Instant,
  isThisOne: z.boolean(),
  /** aal2 means that the person gave the second factor in this session. */
  assuranceLevel: z.enum(['aal1', 'aal2']),
  /** True if it began on a device that was remembered after a second factor. */
  isDeviceRemembered: z.boolean(),
  /**
   * True if the password or link was right, and the second factor is still to come. Until then, the session opens
   * nothing.
   */
  awaitsSecondFactor: z.boolean(),
});
export type SessionPlace = z.infer<typeof SessionPlace>;

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/api/account/sessions',
  access: 'account.own',
  summary: 'Where the signed-in person is signed in: this session first, then the newest.',
  shows: ['sign-ins'],
  query: z.object({ cursor: Id.optional() }),
  response: pageOf(SessionPlace),
});

export const endSession = endpoint({
  name: 'endSession',
  method: 'DELETE',
  path: '/api/account/sessions/:id',
  access: 'account.own',
  summary: 'Ends one of the own sessions: signed out on its next request, its live stream closes at once.',
  params: IdParams,
  response: Done,
});

export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/account/sessions',
  access: 'account.own',
  summary: 'Ends all own sessions but this one.',
  response: z.object({ ended: z.number().int() }),
});

export const endSessionsOfPerson = endpoint({
  name: 'endSessionsOfPerson',
  method: 'DELETE',
  path: '/api/users/:id/sessions',
  access: 'users.manage',
  summary: 'Signs a person out everywhere.',
  params: IdParams,
  response: z.object({ ended: z.number().int() }),
});
