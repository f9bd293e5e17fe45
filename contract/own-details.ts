import { z } from 'zod';
import { Done, endpoint } from './endpoint.ts';
import { personName } from './person-names.ts';

export const OwnNames = z.object({
  firstName: personName('Please enter your first name').optional(),
  lastName: personName('Please enter your last name').optional(),
});
export const NewEmail = z.object({ email: z.email('Please enter a valid email address').max(254) });

/** AUTH-60: names only. A role or other metadata in the body is not read. */
export const changeOwnNames = endpoint({
  name: 'changeOwnNames',
  method: 'PATCH',
  path: '/api/account/profile',
  access: 'account.own',
  summary: 'Changes the own first and last name; what is left out stays.',
  body: OwnNames,
  response: z.object({ firstName: z.string(), lastName: z.string() }),
});

export const requestEmailChange = endpoint({
  name: 'requestEmailChange',
  method: 'POST',
  path: '/api/account/email',
  access: 'account.own',
  needsFreshProof: true,
  ownTransactions: true,
  summary: 'Mails a link to the new address that confirms it, and a notice to the present one.',
  body: NewEmail,
  /** The same for an address that has an account: its owner gets no mail and the change never happens. */
  response: Done,
});

export const confirmEmailChange = endpoint({
  name: 'confirmEmailChange',
  method: 'POST',
  path: '/api/email-changes/confirmation',
  access: 'public',
  ownTransactions: true,
  summary: 'Changes the email address by the mailed link, which works once; all sessions but this one end.',
  body: z.object({ token: z.string().min(1).max(200) }),
  response: z.object({ email: z.string() }),
});
