import { z } from 'zod';
import { SignedIn } from './accounts.ts';
import { endpoint } from './endpoint.ts';

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
  response: SignedIn,
});

/** Where the links of earlier confirmation mails say that they lead. */
export const confirmedTarget = '/login?confirmed=1';

export const openOldConfirmation = endpoint({
  name: 'openOldConfirmation',
  method: 'GET',
  path: '/api/auth/verify-email',
  access: 'public',
  binary: true,
  summary: 'The link of earlier confirmation mails: leads to the page that confirms, and confirms nothing itself.',
  query: z.object({ token: ConfirmationToken, callbackURL: z.literal(confirmedTarget) }),
  response: z.null(),
});
