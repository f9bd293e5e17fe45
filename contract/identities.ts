import { z } from 'zod';
import { Done, endpoint, Id, IdParams, Instant } from './endpoint.ts';
import { SignedWalletMessage, SignInProvider, WalletAddress, WebAuthnJson } from './sign-in-ways.ts';

const Way = z.object({ id: z.string(), label: z.string() });

export const listWaysIn = endpoint({
  name: 'listWaysIn',
  method: 'GET',
  path: '/api/account/ways-in',
  access: 'account.own',
  summary: "The signed-in person's ways in: password, linked identities, passkeys; and what more can be linked here.",
  shows: ['ways-in'],
  response: z.object({
    hasPassword: z.boolean(),
    identities: z.array(
      z.object({
        id: Id,
        label: z.string(),
        account: z.string().nullable(),
        linkedAt: Instant,
        canUnlink: z.boolean(),
      }),
    ),
    passkeys: z.array(
      z.object({
        id: Id,
        name: z.string(),
        createdAt: Instant,
        lastUsedAt: Instant.nullable(),
        canRemove: z.boolean(),
      }),
    ),
    linkable: z.object({ providers: z.array(Way), wallet: z.boolean(), passkeys: z.boolean() }),
  }),
});
export type WaysIn = z.infer<typeof listWaysIn.response>;

export const startProviderLink = endpoint({
  name: 'startProviderLink',
  method: 'POST',
  path: '/api/account/identities/providers/:provider',
  access: 'account.own',
  needsFreshProof: true,
  ownTransactions: true,
  summary: 'The address of the provider to go to, so that its identity is linked to the own account.',
  params: z.object({ provider: SignInProvider }),
  holdsSecret: true,
  response: z.object({ url: z.string() }),
});

export const requestWalletLink = endpoint({
  name: 'requestWalletLink',
  method: 'POST',
  path: '/api/account/identities/wallet/message',
  access: 'account.own',
  needsFreshProof: true,
  ownTransactions: true,
  summary: 'The message (EIP-4361) that a wallet signs to be linked to the own account.',
  body: z.object({ address: WalletAddress }),
  holdsSecret: true,
  response: z.object({ message: z.string() }),
});

export const linkWallet = endpoint({
  name: 'linkWallet',
  method: 'POST',
  path: '/api/account/identities/wallet',
  access: 'account.own',
  needsFreshProof: true,
  ownTransactions: true,
  summary: 'Links a wallet to the own account, with its signed message.',
  body: SignedWalletMessage,
  response: Done,
});

export const unlinkIdentity = endpoint({
  name: 'unlinkIdentity',
  method: 'DELETE',
  path: '/api/account/identities/:id',
  access: 'account.own',
  needsFreshProof: true,
  summary: 'Unlinks an own identity; never the last way in.',
  params: IdParams,
  response: Done,
});

export const requestPasskey = endpoint({
  name: 'requestPasskey',
  method: 'POST',
  path: '/api/account/passkeys/options',
  access: 'account.own',
  needsFreshProof: true,
  ownTransactions: true,
  summary: 'What the browser needs to make a passkey for the own account.',
  holdsSecret: true,
  response: z.object({ options: WebAuthnJson }),
});

const PasskeyName = z.string().trim().min(1, 'Please enter a name').max(100);

export const addPasskey = endpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/api/account/passkeys',
  access: 'account.own',
  needsFreshProof: true,
  ownTransactions: true,
  summary: 'Keeps a new passkey of the own account.',
  body: z.object({ name: PasskeyName, response: WebAuthnJson }),
  response: z.object({ id: Id }),
});

export const renamePasskey = endpoint({
  name: 'renamePasskey',
  method: 'PATCH',
  path: '/api/account/passkeys/:id',
  access: 'account.own',
  summary: 'Renames an own passkey.',
  params: IdParams,
  body: z.object({ name: PasskeyName }),
  response: Done,
});

export const removePasskey = endpoint({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/api/account/passkeys/:id',
  access: 'account.own',
  needsFreshProof: true,
  summary: 'Removes an own passkey; never the last way in.',
  params: IdParams,
  response: Done,
});
