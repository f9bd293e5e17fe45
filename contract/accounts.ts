import { z } from 'zod';
import { Done, endpoint, Id, Instant } from './endpoint.ts';
import { sessionPath } from './first-reads.ts';
import { passwordLength } from './passwords.ts';
import { personName } from './person-names.ts';
import { Role, TrackType } from './roles.ts';

/** DATA-02: this is the signed-in person as the browser knows them. */
export const SignedInUser = z.object({
  id: Id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: Role,
  trackType: TrackType.nullable(),
  requestedRole: Role.nullable(),
});
export type SignedInUser = z.infer<typeof SignedInUser>;

export const readSession = endpoint({
  name: 'readSession',
  method: 'GET',
  path: sessionPath,
  access: 'public',
  holdsSecret: true,
  summary: 'The signed-in person, or null; and what this instance offers before signing in.',
  shows: ['people', 'messages', 'notices', 'ways-in'],
  response: z.object({
    user: SignedInUser.nullable(),
    /** True if somebody has signed in and still has to give their second factor. Until then, `user` is null. */
    awaitsSecondFactor: z.boolean(),
    /**
     * True if the role must have a second factor and the person has none. Until then, only their own account is open.
     */
    mustSetUpSecondFactor: z.boolean(),
    /** They must have one from this instant on. It is null unless they have none and still have days for it. */
    secondFactorDueAt: Instant.nullable(),
    /** True if somebody else chose the password. Until the person changes it, nothing else is open. */
    mustChangePassword: z.boolean(),
    /** aal2 means that the person gave the second factor in this session. */
    assuranceLevel: z.enum(['aal1', 'aal2']).nullable(),
    expiresAt: Instant.nullable(),
    /**
     * Seals what this device keeps of a screen: 32 bytes in base64, others for each session. Null if nobody is signed
     * in.
     */
    deviceKey: z.string().nullable(),
    serverTime: Instant,
    /** Times are said in it: the zone of the person's program, a name of the tz database. */
    zone: z.string(),
    unreadMessages: z.number().int(),
    unreadNotices: z.number().int(),
    instance: z.object({
      isDemo: z.boolean(),
      demoPassword: z.string().nullable(),
      demoAccounts: z.array(z.object({ email: z.string(), label: z.string() })),
      signInProviders: z.array(z.object({ id: z.string(), label: z.string() })),
      grantsChosenRole: z.boolean(),
    }),
  }),
});

export const SignedIn = z.object({
  user: z.object({ id: Id, email: z.string() }),
  /**
   * It is for `Authorization: Bearer`, and is also in the header `set-auth-token`. It is null for browsers, which have
   * the cookie.
   */
  token: z.string().nullable(),
  expiresAt: Instant,
});

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/api/auth/sign-in/email',
  access: 'public',
  ownTransactions: true,
  summary: 'Signs in with email and password; the session is an httpOnly cookie.',
  body: z.object({ email: z.string().max(254), password: z.string().max(128) }),
  holdsSecret: true,
  response: SignedIn,
});

export const signOut = endpoint({
  name: 'signOut',
  method: 'POST',
  path: '/api/auth/sign-out',
  access: 'public',
  summary: 'Ends the session.',
  response: z.object({ success: z.boolean() }),
});

export const requestPasswordReset = endpoint({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/api/auth/request-password-reset',
  access: 'public',
  ownTransactions: true,
  summary: 'Mails a reset link; the answer is the same for every address (AUTH-21).',
  body: z.object({ email: z.email('Please enter a valid email address').max(254) }),
  response: z.object({ status: z.literal(true) }),
});

export const checkPasswordLink = endpoint({
  name: 'checkPasswordLink',
  method: 'POST',
  path: '/api/password-links/check',
  access: 'public',
  ownTransactions: true,
  summary: 'Says whose password a reset or invitation link sets, without using the link up.',
  shows: ['ways-in'],
  body: z.object({ token: z.string().min(1).max(200) }),
  response: z.object({ email: z.string(), kind: z.enum(['reset', 'invitation']) }),
});

export const setPassword = endpoint({
  name: 'setPassword',
  method: 'POST',
  path: '/api/password-links/password',
  access: 'public',
  ownTransactions: true,
  summary: 'Sets the password with a reset or invitation link; uses the link up and ends all sessions.',
  body: z.object({ token: z.string().min(1).max(200), newPassword: z.string().max(128) }),
  response: Done,
});

export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  path: '/api/account/password',
  access: 'password.own',
  ownTransactions: true,
  summary: 'Changes the own password; the current one is required.',
  body: z.object({ currentPassword: z.string().min(1).max(128), newPassword: z.string().max(128) }),
  response: Done,
});

export const createFirstAdmin = endpoint({
  name: 'createFirstAdmin',
  method: 'POST',
  path: '/api/first-admin',
  access: 'public',
  ownTransactions: true,
  summary: 'Makes the first admin of an instance that has none, with the one-time token that its log shows at start.',
  body: z.object({
    token: z.string().min(1).max(200),
    email: z.email('Please enter a valid email address').max(254),
    password: z.string().min(passwordLength, `Password must be at least ${passwordLength} characters long`).max(128),
    firstName: personName('Please enter your first name'),
    lastName: personName('Please enter your last name'),
  }),
  response: Done,
});
