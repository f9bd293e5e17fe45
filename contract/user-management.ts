import { z } from 'zod';
import { Cursor, Done, endpoint, Id, IdParams, Instant, pageOf, SearchText } from './endpoint.ts';
import { Matching } from './matching.ts';
import { mostPeopleAtOnce, PeopleIds, PeoplePreview, RefusedPerson } from './people-sets.ts';
import { personName } from './person-names.ts';
import { Role, TrackType } from './roles.ts';

export const userOrders = ['newest', 'oldest', 'name', 'email', 'lastSignIn'] as const;
export const UserOrder = z.enum(userOrders);
export type UserOrder = z.infer<typeof UserOrder>;

export const invitationStates = ['sent', 'expired', 'accepted'] as const;

const Coach = z.object({ id: Id, firstName: z.string(), lastName: z.string() });

/** A person as the admins' list shows them. */
export const User = z.object({
  id: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: Role,
  trackType: TrackType.nullable(),
  /** What the program of the person's present cohort calls their kind. Null without a kind or a cohort. */
  kindName: z.string().nullable(),
  createdAt: Instant,
  lastSignInAt: Instant.nullable(),
  isEmailConfirmed: z.boolean(),
  /** The latest invitation. It is null for a person who registered themself. */
  invitation: z.object({ state: z.enum(invitationStates), sentAt: Instant, expiresAt: Instant }).nullable(),
  /** USER-35: the person is an active member of these. The latest start comes first. */
  cohorts: z.array(z.object({ id: Id, name: z.string(), status: z.string() })),
  /** CASN-15 */
  coach: Coach.nullable(),
  /** Counts the participants whom the person coaches. */
  coachedCount: z.number().int(),
  /**
   * Counts the coaching sessions that are booked with the person, on either side. Another role or a deletion cancels
   * them.
   */
  sessionsToCome: z.number().int(),
  /** It grows with every change of names, role or track, by anybody. */
  version: z.number().int(),
  can: z.object({
    changeRole: z.boolean(),
    delete: z.boolean(),
    enrol: z.boolean(),
    resendInvitation: z.boolean(),
  }),
});
export type User = z.infer<typeof User>;

const UserFilters = z.object({
  /** Searches the name and the email address, in any case, or finds the whole id (USER-04). */
  search: SearchText.default(''),
  role: Role.optional(),
  order: UserOrder.default('newest'),
});

export const listUsers = endpoint({
  name: 'listUsers',
  method: 'GET',
  path: '/api/users',
  access: 'users.manage',
  mayReadReplica: true,
  summary: 'Everybody with an account, newest first unless said otherwise (USER-02 to USER-06).',
  shows: ['people', 'enrolments', 'coaches', 'cohorts'],
  query: UserFilters.extend({ cursor: Cursor.optional() }),
  response: pageOf(User).extend({
    /** It leads to the page before. It is null on the first page. */
    previousCursor: z.string().nullable(),
    matching: Matching,
  }),
});

export const listUserIds = endpoint({
  name: 'listUserIds',
  method: 'GET',
  path: '/api/users/ids',
  access: 'users.manage',
  mayReadReplica: true,
  summary: `Everybody who matches now, to act upon them together. Refused if they are more than ${mostPeopleAtOnce}.`,
  shows: ['people'],
  query: UserFilters,
  response: z.object({ ids: z.array(Id) }),
});

export const exportUsers = endpoint({
  name: 'exportUsers',
  method: 'GET',
  path: '/api/users/export',
  access: 'users.manage',
  takesLong: true,
  needsFreshProof: true,
  summary: 'The same list as a CSV file, all pages of it; the export is on record.',
  query: UserFilters,
  binary: { 200: ['text/csv'] },
  response: z.unknown(),
});

export const readUser = endpoint({
  name: 'readUser',
  method: 'GET',
  path: '/api/users/:id',
  access: 'users.manage',
  summary: 'One person as they stand now.',
  shows: ['people', 'enrolments', 'coaches', 'cohorts'],
  params: IdParams,
  response: User,
});

/** USER-08, USER-13: an absent field stays, and null clears it. The email address is not among them (USER-09). */
export const UserChanges = z.object({
  firstName: personName('Please enter a first name').optional(),
  lastName: personName('Please enter a last name').optional(),
  role: Role.optional(),
  trackType: TrackType.nullable().optional(),
});
export type UserChanges = z.infer<typeof UserChanges>;

export const updateUser = endpoint({
  name: 'updateUser',
  method: 'PATCH',
  path: '/api/users/:id',
  access: 'users.manage',
  summary:
    'Changes names, role or track; refused as stale when somebody else has since they were read. Another role needs a fresh proof.',
  params: IdParams,
  body: UserChanges.extend({ version: z.number().int() }),
  response: User,
});

export const deleteUser = endpoint({
  name: 'deleteUser',
  method: 'DELETE',
  path: '/api/users/:id',
  access: 'users.manage',
  needsFreshProof: true,
  summary:
    'Ends sessions and sign-in, removes files and personal fields; what others rely on stays under the name Deleted user.',
  params: IdParams,
  response: Done,
});

export const resendInvitation = endpoint({
  name: 'resendInvitation',
  method: 'POST',
  path: '/api/users/:id/invitation',
  access: 'users.manage',
  summary: 'Mails a new invitation to somebody who has not accepted theirs; the earlier link stops working.',
  params: IdParams,
  response: Done,
});

export const previewInvitations = endpoint({
  name: 'previewInvitations',
  method: 'POST',
  path: '/api/users/invitations/preview',
  access: 'users.manage',
  summary: 'Who of these people can be invited again, and why each other one cannot. Writes nothing.',
  shows: ['people'],
  body: z.object({ userIds: PeopleIds }),
  response: PeoplePreview.extend({ at: Instant }),
});

export const resendUserInvitations = endpoint({
  name: 'resendUserInvitations',
  method: 'POST',
  path: '/api/users/invitations',
  access: 'users.manage',
  takesLong: true,
  summary:
    'Mails new invitations to those of these people who have not accepted theirs; the earlier links stop working. Says of each other one why they get none.',
  body: z.object({
    userIds: PeopleIds,
    /** When the admin saw the preview. A person who was invited since gets no second mail. */
    seenAt: Instant,
  }),
  response: z.object({ sent: z.number().int(), refused: z.array(RefusedPerson) }),
});
