import { z } from 'zod';
import { Done, endpoint, Instant } from './endpoint.ts';

/** The providers that people may sign in with beside the password. Each is off until the operator sets it up. */
export const SignInProvider = z.enum(['google', 'microsoft', 'oidc']);
export type SignInProvider = z.infer<typeof SignInProvider>;

/** A path of our own pages. It is never `//host`, and never has a backslash, which browsers read as a slash. */
export const OwnPath = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, 'This is not a page of Switchyard.');

/** Says why a sign-in at a provider failed. The code is in the address that the person is sent back to. */
export const providerRefusals = {
  cancelled: 'You ended the sign-in at the other service.',
  expired: 'You started it in another browser, used it before, or took longer than 10 minutes. Please try again.',
  failed: 'The other service could not confirm who you are. Please try again.',
  unreachable: 'The other service could not be reached. Please try again later.',
  not_vouched:
    'The other service does not vouch for your email address. Sign in another way and link it under "Sign-in and security".',
  unlinked:
    'It was unlinked from the account with your email address. Sign in another way and link it under "Sign-in and security".',
  taken: 'This sign-in is already linked to another account.',
  other_person: 'You were no longer signed in as the person who started to link it. Please try again.',
} as const;
export type ProviderRefusal = keyof typeof providerRefusals;
/** The search parameter of the page that the person is sent back to. */
export const providerRefusalParameter = 'sign_in_error';

export const requestMailSignIn = endpoint({
  name: 'requestMailSignIn',
  method: 'POST',
  path: '/api/sign-in/mail',
  access: 'public',
  ownTransactions: true,
  summary: 'Mails a link and a code that sign in once within 10 minutes; the answer is the same for every address.',
  /** `next` is the page that the link leads to. */
  body: z.object({ email: z.email('Please enter a valid email address').max(254), next: OwnPath.optional() }),
  response: z.object({ status: z.literal(true) }),
});

export const checkMailSignIn = endpoint({
  name: 'checkMailSignIn',
  method: 'POST',
  path: '/api/sign-in/mail/check',
  access: 'public',
  ownTransactions: true,
  summary: 'Says whom a mailed sign-in link signs in, without using it up.',
  shows: ['ways-in'],
  body: z.object({ token: z.string().min(1).max(200) }),
  response: z.object({ email: z.string() }),
});

/** If nobody had confirmed an account's mailbox, its password may be a stranger's. So the sign-in removes it. */
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
  summary: 'Signs in with an email address and the code that was mailed to it; uses the code and its link up.',
  body: z.object({
    email: z.email('Please enter a valid email address').max(254),
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, 'Please enter the 6 digits of the code')
      .max(20),
  }),
  response: SignedInByMail,
});

export const startProviderSignIn = endpoint({
  name: 'startProviderSignIn',
  method: 'GET',
  path: '/api/sign-in/providers/:provider',
  access: 'public',
  binary: { 302: [] },
  summary: 'Leads the browser to the provider (OpenID Connect with PKCE, state and nonce).',
  params: z.object({ provider: SignInProvider }),
  query: z.object({ next: OwnPath.optional() }),
  response: z.null(),
});

export const completeProviderSignIn = endpoint({
  name: 'completeProviderSignIn',
  method: 'GET',
  path: '/api/sign-in/providers/:provider/callback',
  access: 'public',
  binary: { 302: [] },
  summary: 'Where the provider sends the browser back to: exchanges the code and signs in, or links the identity.',
  params: z.object({ provider: SignInProvider }),
  query: z.looseObject({ state: z.string().max(200).optional() }),
  response: z.null(),
});

export const requestSignInNonce = endpoint({
  name: 'requestSignInNonce',
  method: 'POST',
  path: '/api/sign-in/nonces',
  access: 'public',
  ownTransactions: true,
  summary: "A nonce that has to stand in a provider's identity token; it works once within 10 minutes.",
  holdsSecret: true,
  response: z.object({ nonce: z.string(), expiresAt: Instant }),
});

export const signInByIdentityToken = endpoint({
  name: 'signInByIdentityToken',
  method: 'POST',
  path: '/api/sign-in/identity-token',
  access: 'public',
  ownTransactions: true,
  summary: "Signs in with a provider's identity token that holds a nonce of ours.",
  body: z.object({ provider: SignInProvider, idToken: z.string().min(1).max(10_000) }),
  response: Done,
});

export const WalletAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'This is not a wallet address.');
export const SignedWalletMessage = z.object({
  message: z.string().min(1).max(4000),
  signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/, "This is not a wallet's signature."),
});

export const requestWalletSignIn = endpoint({
  name: 'requestWalletSignIn',
  method: 'POST',
  path: '/api/sign-in/wallet/message',
  access: 'public',
  ownTransactions: true,
  summary: 'The message (EIP-4361) that a wallet signs to sign in; its nonce works once within 10 minutes.',
  body: z.object({ address: WalletAddress }),
  holdsSecret: true,
  response: z.object({ message: z.string() }),
});

export const signInByWallet = endpoint({
  name: 'signInByWallet',
  method: 'POST',
  path: '/api/sign-in/wallet',
  access: 'public',
  ownTransactions: true,
  summary: 'Signs in with a signed message of a wallet that is linked to an account.',
  body: SignedWalletMessage,
  response: Done,
});

/** WebAuthn's JSON forms. The WebAuthn packages on both sides check them. */
export const WebAuthnJson = z.record(z.string(), z.unknown());

export const requestPasskeySignIn = endpoint({
  name: 'requestPasskeySignIn',
  method: 'POST',
  path: '/api/sign-in/passkey/options',
  access: 'public',
  ownTransactions: true,
  summary: "What the browser asks the person's passkeys; its challenge works once within 10 minutes.",
  holdsSecret: true,
  response: z.object({ options: WebAuthnJson }),
});

export const signInByPasskey = endpoint({
  name: 'signInByPasskey',
  method: 'POST',
  path: '/api/sign-in/passkey',
  access: 'public',
  ownTransactions: true,
  summary: 'Signs in with the answer of a passkey.',
  body: z.object({ response: WebAuthnJson }),
  response: Done,
});
