import { z } from 'zod';
import { Done, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';
import { Role } from './roles.ts';

/** The roles that a person may ask for when they register. An admin decides (AUTH-17). */
export const RequestedRole = z.enum(['coach', 'admin']);
export type RequestedRole = z.infer<typeof RequestedRole>;

export const RoleRequest = z.object({
  /** The applicant's id. */
  id: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: Role,
  requestedRole: RequestedRole,
  isEmailConfirmed: z.boolean(),
  requestedAt: Instant,
  /** Of which the person is an active member: they would leave them. */
  cohorts: z.array(z.object({ name: z.string() })),
  /** How many participants would be without a coach. */
  coachedCount: z.number().int(),
  /** How many booked coaching sessions would be cancelled. */
  sessionsToCome: z.number().int(),
  can: z.object({ approve: z.boolean() }),
});
export type RoleRequest = z.infer<typeof RoleRequest>;

export const listRoleRequests = endpoint({
  name: 'listRoleRequests',
  method: 'GET',
  path: '/api/role-requests',
  access: 'users.manage',
  mayReadReplica: true,
  summary: 'Who asks for the role of a coach or admin and waits for a decision, longest first.',
  shows: ['people'],
  query: z.object({ cursor: Id.optional() }),
  response: pageOf(RoleRequest),
});

/** The role that the admin saw: a request that has changed meanwhile is not decided by mistake. */
const Decision = z.object({ requestedRole: RequestedRole });

export const approveRoleRequest = endpoint({
  name: 'approveRoleRequest',
  method: 'POST',
  path: '/api/role-requests/:id/approval',
  access: 'users.manage',
  needsFreshProof: true,
  summary: 'Grants the role asked for; it holds from the next request of the applicant on, who is told.',
  params: IdParams,
  body: Decision,
  response: Done,
});

export const declineRoleRequest = endpoint({
  name: 'declineRoleRequest',
  method: 'POST',
  path: '/api/role-requests/:id/refusal',
  access: 'users.manage',
  summary: 'Declines a request; the applicant keeps the role they have and is told.',
  params: IdParams,
  body: Decision,
  response: Done,
});
