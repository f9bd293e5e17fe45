import { z } from 'zod';
import { SignedIn } from './accounts.ts';
import { endpoint, Id } from './endpoint.ts';
import { registerPasswordLength } from './passwords.ts';
import { personName } from './person-names.ts';
import { Role, TrackType } from './roles.ts';

export const register = endpoint({
  name: 'register',
  method: 'POST',
  path: '/api/auth/sign-up/email',
  access: 'public',
  ownTransactions: true,
  summary:
    'Creates an account that is enabled by the link in the confirmation mail. A chosen coach or admin role is a request.',
  body: z
    .object({
      firstName: personName('Please enter your first name'),
      lastName: personName('Please enter your last name'),
      email: z.email('Please enter a valid email address').max(254),
      password: z
        .string()
        .min(registerPasswordLength, `Password must be at least ${registerPasswordLength} characters long`)
        .max(128),
      requestedRole: Role,
      trackType: TrackType.nullable(),
    })
    .refine((body) => body.requestedRole !== 'participant' || body.trackType !== null, {
      path: ['trackType'],
      message: 'Please choose a track type',
    }),
  /** The same for an address that has an account already: that person gets a mail instead. */
  response: z.object({ user: z.object({ id: Id, email: z.string() }) }),
});

export const resendConfirmation = endpoint({
  name: 'resendConfirmation',
  method: 'POST',
  path: '/api/auth/send-verification-email',
  access: 'public',
  ownTransactions: true,
  summary: 'Sends the confirmation mail again; the answer is the same for every address.',
  body: z.object({ email: z.email('Please enter a valid email address').max(254) }),
  response: z.object({ status: z.literal(true) }),
});

const ConfirmationToken = z.string().min(1).max(2000);

export const confirmRegistration = endpoint({
  name: 'confirmRegistration',
  method: 'POST',
  path: '/api/registrations/confirmation',
  access: 'public',
  ownTransactions: true,
  summary:
    'Confirms the address by the mailed link and signs in. Takes the password too: who opens the mail may not be who registered.',
  body: z.object({
    token: ConfirmationToken,
    password: z.string().min(1, 'Please enter your password').max(128),
  }),
  holdsSecret: true,
  response: SignedIn,
});
