import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const requestMailSignIn = endpoint({
  name: 'requestMailSignIn',
  method: 'POST',
  path: '/api/sign-in/mail',
  access: 'public',
  ownTransactions: true,
  summary: 'Mails a link and a code that sign in once within 10 minutes; the answer is the same for every address.',
  body: z.object({ email: z.email('Please enter a valid e-mail address').max(254) }),
  response: z.object({ status: z.literal(true) }),
});

export const checkMailSignIn = endpoint({
  name: 'checkMailSignIn',
  method: 'POST',
  path: '/api/sign-in/mail/check',
  access: 'public',
  ownTransactions: true,
  summary: 'Says whom a mailed sign-in link signs in, without using it up.',
  body: z.object({ token: z.string().min(1).max(200) }),
  response: z.object({ email: z.string() }),
});

/** The password of an account whose mailbox nobody had confirmed may be a stranger's: it is removed. */
const SignedInByMail = z.object({ done: z.literal(true), isPasswordRemoved: z.boolean() });

export const signInByMailLink = endpoint({
  name: 'signInByMailLink',
  method: 'POST',
  path: '/api/sign-in/mail/link',
  access: 'public',
  ownTransactions: true,
  summary: 'Signs in with the token of a mailed link; uses the link and its code up.',
  body: z.object({ token: z.string().min(1).max(200) }),
  response: SignedInByMail,
});

export const signInByMailCode = endpoint({
  name: 'signInByMailCode',
  method: 'POST',
  path: '/api/sign-in/mail/code',
  access: 'public',
  ownTransactions: true,
  summary: 'Signs in with an e-mail address and the code that was mailed to it; uses the code and its link up.',
  body: z.object({
    email: z.email('Please enter a valid e-mail address').max(254),
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, 'Please enter the 6 digits of the code'),
  }),
  response: SignedInByMail,
});
