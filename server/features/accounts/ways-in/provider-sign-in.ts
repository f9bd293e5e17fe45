import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type ProviderRefusal,
  providerRefusalParameter,
  providerRefusals,
  type SignInProvider,
} from '#contract/sign-in-ways.ts';
import { findOrMakePerson, linkIdentity } from '#server/features/accounts/ways-in/identities.ts';
import {
  exchangeCode,
  type IdentityProvider,
  type ProvidedIdentity,
  providerAddress,
  verifyIdentityToken,
} from '#server/features/accounts/ways-in/identity-providers.ts';
import { requireProvider } from '#server/features/accounts/ways-in/sign-in-ways.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { countedAddress } from '#server/platform/client-address.ts';
import { AppError } from '#server/platform/errors.ts';
import { limitTries } from '#server/platform/rate-limit.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { readVerifier, verifierCookie } from '#server/sign-in/auth-cookie.ts';
import { keepOneTimeValue, takeOneTimeValue } from '#server/sign-in/one-time-values.ts';
import { hashToken } from '#server/sign-in/password-links.ts';
import { startSession } from '#server/sign-in/session-start.ts';
import { judgeTry, type Try } from '#server/sign-in/tries.ts';

const triesByAddress = { max: 120, windowSeconds: 600 };
const byProvider = { of: 'sign_in', way: 'provider' } as const;
const nonceKind = 'identity-token-nonce';

/** The server keeps this of a sign-in from its beginning until the provider sends the browser back. */
const Begun = z.object({ verifierHash: z.string(), next: z.string().nullable(), linkTo: z.string().nullable() });
type Begun = z.infer<typeof Begun>;
type Purpose = Pick<Begun, 'next' | 'linkTo'>;

/** AUTH-63: returns the address of the provider. The browser keeps the verifier in a cookie. */
export async function beginSignIn(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  id: SignInProvider,
  next: string | null,
): Promise<string> {
  await limitTries(app.db, `provider-sign-in:${countedAddress(request)}`, triesByAddress, app.config.rateLimitFactor);
  const provider = requireProvider(app.config, id);
  const begun = await begin(app, request, reply, provider, { next, linkTo: null });
  return 'address' in begun ? begun.address : backTo({ next, linkTo: null }, begun.refusal);
}

export async function beginLink(
  app: App,
  actor: Actor,
  request: FastifyRequest,
  reply: FastifyReply,
  id: SignInProvider,
): Promise<{ url: string }> {
  const provider = requireProvider(app.config, id);
  const begun = await begin(app, request, reply, provider, { next: null, linkTo: actor.id });
  if ('refusal' in begun) throw new AppError('unavailable', providerRefusals[begun.refusal]);
  return { url: begun.address };
}

/**
 * AUTH-52: exchanges the code, and begins a session or links. Returns the page to go on to, which is always one of
 * ours.
 */
export async function completeSignIn(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  id: SignInProvider,
): Promise<string> {
  await limitTries(app.db, `provider-sign-in:${countedAddress(request)}`, triesByAddress, app.config.rateLimitFactor);
  const provider = requireProvider(app.config, id);
  const address = new URL(request.url, app.config.publicUrl);
  const state = address.searchParams.get('state') ?? '';
  const verifier = readVerifier(request, state, app.config.publicUrl);
  reply.header('set-cookie', verifierCookie(state, null, app.config.publicUrl));

  const begun = await takeBegun(app, id, state, verifier);
  const confirmed = () => identityOf(provider, request, address, { state, verifier: verifier ?? '' });
  if (begun?.linkTo) return finishLink(app, request, begun, await confirmed());
  return judgeTry(app, request, byProvider, async (tried) =>
    begun ? finishSignIn(app, request, reply, begun, await confirmed(), tried) : backTo(null, 'expired'),
  );
}

/** Returns null if another browser began it, it has ended or it was used. */
async function takeBegun(app: App, id: SignInProvider, state: string, verifier: string | null): Promise<Begun | null> {
  const kept = await takeOneTimeValue(app.db, kindOf(id), state);
  const begun = kept === null ? null : Begun.parse(JSON.parse(kept));
  return begun && verifier && hashToken(verifier) === begun.verifierHash ? begun : null;
}

type Confirmed = ProvidedIdentity | { refusal: 'cancelled' | 'failed' };

async function identityOf(
  provider: IdentityProvider,
  request: FastifyRequest,
  address: URL,
  begun: { state: string; verifier: string },
): Promise<Confirmed> {
  const error = address.searchParams.get('error');
  if (error) return { refusal: error === 'access_denied' ? 'cancelled' : 'failed' };
  return exchangeCode(provider, address, begun).catch((reason: unknown) => {
    request.log.warn({ err: reason }, 'a provider did not confirm a sign-in');
    return { refusal: 'failed' } as const;
  });
}

export async function issueNonce(app: App, request: FastifyRequest) {
  await limitTries(app.db, `sign-in-nonce:${countedAddress(request)}`, triesByAddress, app.config.rateLimitFactor);
  const nonce = randomBytes(32).toString('base64url');
  const expiresAt = await keepOneTimeValue(app.db, nonceKind, nonce);
  return { nonce, expiresAt: expiresAt.toISOString() };
}

/** AUTH-53 */
export async function signInByToken(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider: id, idToken }: { provider: SignInProvider; idToken: string },
): Promise<void> {
  await limitTries(app.db, `identity-token:${countedAddress(request)}`, triesByAddress, app.config.rateLimitFactor);
  const provider = requireProvider(app.config, id);
  const refusal = await judgeTry(app, request, byProvider, async (tried) => {
    const { identity, nonce } = await verifyIdentityToken(provider, idToken).catch((reason: unknown) => {
      throw new AppError('not_authenticated', 'This identity token is not valid here.', { cause: reason });
    });
    const isOurs = (await takeOneTimeValue(app.db, nonceKind, nonce)) !== null;
    if (!isOurs) throw new AppError('not_authenticated', 'The nonce of this identity token is no longer valid.');
    return signInPersonOf(app, request, reply, identity, tried);
  });
  if (refusal) throw new AppError('conflict', providerRefusals[refusal]);
}

async function begin(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: IdentityProvider,
  purpose: Purpose,
): Promise<{ address: string } | { refusal: ProviderRefusal }> {
  const state = randomBytes(32).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = `${app.config.publicUrl}/api/sign-in/providers/${provider.id}/callback`;
  const address = await providerAddress(provider, { redirectUri, state, verifier }).catch((reason: unknown) => {
    request.log.warn({ err: reason }, 'a provider could not be reached');
    return null;
  });
  if (!address) return { refusal: 'unreachable' };
  const begun: Begun = { ...purpose, verifierHash: hashToken(verifier) };
  await keepOneTimeValue(app.db, kindOf(provider.id), state, JSON.stringify(begun));
  reply.header('set-cookie', verifierCookie(state, verifier, app.config.publicUrl));
  return { address };
}

async function finishSignIn(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  begun: Begun,
  confirmed: Confirmed,
  tried: Try,
): Promise<string> {
  if ('refusal' in confirmed) return backTo(begun, confirmed.refusal);
  const refusal = await signInPersonOf(app, request, reply, confirmed, tried);
  return refusal ? backTo(begun, refusal) : (begun.next ?? '/dashboard');
}

/** Returns the reason for a refusal, or null. */
async function signInPersonOf(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  identity: ProvidedIdentity,
  tried: Try,
): Promise<ProviderRefusal | null> {
  tried.isOf({ email: identity.verifiedEmail });
  const found = await inTransaction(app.db, (db) => findOrMakePerson(db, identity, app.config.publicUrl));
  if ('refusal' in found) return found.refusal;
  await startSession(app, request, reply, found.userId, tried);
  return null;
}

async function finishLink(app: App, request: FastifyRequest, begun: Begun, confirmed: Confirmed): Promise<string> {
  if ('refusal' in confirmed) return backTo(begun, confirmed.refusal);
  const actorId = request.identity?.actor?.id;
  if (!actorId || actorId !== begun.linkTo) return backTo(begun, 'other_person');
  const { publicUrl } = app.config;
  const refusal = await inTransaction(app.db, (db) => linkIdentity(db, actorId, confirmed, publicUrl));
  return refusal ? backTo(begun, refusal) : '/account/security?linked=1';
}

function backTo(purpose: Purpose | null, refusal: ProviderRefusal): string {
  const search = new URLSearchParams({ [providerRefusalParameter]: refusal });
  if (purpose?.next) search.set('next', purpose.next);
  return `${purpose?.linkTo ? '/account/security' : '/login'}?${search}`;
}

function kindOf(provider: SignInProvider): string {
  return `provider-sign-in-${provider}`;
}
