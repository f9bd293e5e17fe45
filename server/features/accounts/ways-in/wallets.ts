import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { findOwner, type Identity, linkIdentity } from '#server/features/accounts/ways-in/identities.ts';
import { requireWalletSignIn } from '#server/features/accounts/ways-in/sign-in-ways.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { countedAddress } from '#server/platform/client-address.ts';
import { AppError } from '#server/platform/errors.ts';
import { limitTries } from '#server/platform/rate-limit.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { keepOneTimeValue, takeOneTimeValue } from '#server/sign-in/one-time-values.ts';
import { startSession } from '#server/sign-in/session-start.ts';
import { judgeTry } from '#server/sign-in/tries.ts';

export interface SignedMessage {
  message: string;
  signature: string;
}

/** Its imports load only when somebody uses a wallet. So they never load where no wallets are offered. */
const loadWalletMessages = () => import('#server/features/accounts/ways-in/wallet-messages.ts');

const triesByAddress = { max: 120, windowSeconds: 600 };
const signInKind = 'wallet-sign-in';

export async function messageForSignIn(app: App, request: FastifyRequest, address: string) {
  requireWalletSignIn(app.config);
  await limitTries(app.db, `wallet:${countedAddress(request)}`, triesByAddress, app.config.rateLimitFactor);
  return { message: await composeMessage(app.db, app.config, signInKind, address, 'Sign in to Switchyard.') };
}

/** AUTH-54: a wallet signs in the person that it is linked to. It never makes an account. */
export async function signInByWallet(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  signed: SignedMessage,
): Promise<void> {
  requireWalletSignIn(app.config);
  await limitTries(app.db, `wallet:${countedAddress(request)}`, triesByAddress, app.config.rateLimitFactor);
  await judgeTry(app, request, { of: 'sign_in', way: 'wallet' }, async (tried) => {
    const { readMessage } = await loadWalletMessages();
    const named = readMessage(app.config, signed.message).address?.toLowerCase() ?? '';
    tried.isOf({ userId: await findOwner(app.db, { provider: 'wallet', accountId: named }) });
    const wallet = await verifyMessage(app.db, app.config, signInKind, signed);
    const userId = await findOwner(app.db, wallet);
    if (!userId) throw new AppError('not_authenticated', 'This wallet is not linked to an account.');
    await startSession(app, request, reply, userId, tried);
  });
}

export async function messageForLink(app: App, actor: Actor, address: string) {
  requireWalletSignIn(app.config);
  const statement = `Link this wallet to the Switchyard account of ${actor.email}.`;
  return { message: await composeMessage(app.db, app.config, linkKind(actor), address, statement) };
}

export async function linkWallet(app: App, actor: Actor, signed: SignedMessage): Promise<void> {
  requireWalletSignIn(app.config);
  const wallet = await verifyMessage(app.db, app.config, linkKind(actor), signed);
  const refusal = await inTransaction(app.db, (db) => linkIdentity(db, actor.id, wallet, app.config.publicUrl));
  if (refusal) throw new AppError('conflict', 'This wallet is linked to another account already.');
}

async function composeMessage(db: Db, config: Config, kind: string, address: string, statement: string) {
  const { writeMessage } = await loadWalletMessages();
  const nonce = randomBytes(16).toString('hex');
  await keepOneTimeValue(db, kind, nonce);
  return writeMessage(config, { nonce, address, statement });
}

/**
 * Returns the wallet that signed a message for this instance and this moment. A wrong signature uses up its nonce too.
 */
async function verifyMessage(
  db: Db,
  config: Config,
  kind: string,
  { message, signature }: SignedMessage,
): Promise<Identity> {
  const { readMessage, signerOf } = await loadWalletMessages();
  const said = readMessage(config, message);
  if (!said.isForHere) throw new AppError('not_authenticated', 'This message was made for another site or network.');
  const isNew = said.isFresh && said.nonce && (await takeOneTimeValue(db, kind, said.nonce)) !== null;
  if (!isNew) throw new AppError('not_authenticated', 'This message was used before or is too old. Please try again.');
  const signer = signerOf(message, signature);
  if (!said.address || signer !== said.address.toLowerCase()) {
    throw new AppError('not_authenticated', 'The signature is not that of the wallet in the message.');
  }
  return { provider: 'wallet', label: `the wallet ${said.address}`, accountId: signer };
}

function linkKind(actor: Actor): string {
  return `wallet-link-${actor.id}`;
}
