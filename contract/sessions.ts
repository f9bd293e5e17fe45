import { z } from 'zod';
import { Done, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';

/** A place where somebody is signed in; never its token, nor anything that a token could be made from. */
export const SessionPlace = z.object({
  id: Id,
  /** In words, as 'Chrome on Android phone'. */
  device: z.string(),
  deviceKind: z.enum(['phone', 'tablet', 'computer', 'program', 'unknown']),
  /** In words, as 'Local network'. */
  place: z.string(),
  beganAt: Instant,
  /** Some minutes coarse. */
  lastUsedAt: Instant,
  isThisOne: z.boolean(),
  /** aal2: the second factor was given in this session. */
  assuranceLevel: z.enum(['aal1', 'aal2']),
  /** Begun on a device that was remembered after a second factor. */
  isDeviceRemembered: z.boolean(),
  /** The password or link was right, the second factor is still to come: until then the session opens nothing. */
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
