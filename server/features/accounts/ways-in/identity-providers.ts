import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { z } from 'zod';
import { longestName, personName } from '#contract/person-names.ts';
import type { SignInProvider } from '#contract/sign-in-ways.ts';
import type { Config } from '#server/config.ts';

export interface IdentityProvider {
  id: SignInProvider;
  label: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

export interface ProvidedIdentity {
  provider: SignInProvider;
  label: string;
  /** It is unique among all providers, because the issuer is part of it. */
  accountId: string;
  /** It is null unless the provider vouches that the address is the person's. */
  verifiedEmail: string | null;
  firstName: string;
  lastName: string;
}

interface Connection {
  client: openid.Configuration;
  keys: JWTVerifyGetKey;
}

const scope = 'openid email profile';
const timeoutInSeconds = 10;
const clockToleranceSeconds = 30;
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const connections = new Map<string, Promise<Connection>>();

export function configuredProviders({ signInProviders: { google, microsoft, oidc } }: Config): IdentityProvider[] {
  const providers: IdentityProvider[] = [];
  if (google) providers.push({ id: 'google', label: 'Google', issuer: 'https://accounts.google.com', ...google });
  if (microsoft) {
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    providers.push({ id: 'microsoft', label: 'Microsoft', issuer, ...microsoft });
  }
  if (oidc) providers.push({ id: 'oidc', ...oidc });
  return providers;
}

/** The way back is checked only against values from `verifier`, which only the person's browser keeps. */
export async function providerAddress(
  provider: IdentityProvider,
  { redirectUri, state, verifier }: { redirectUri: string; state: string; verifier: string },
): Promise<string> {
  const { client } = await connect(provider);
  return openid.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce: await nonceOf(verifier),
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href;
}

/** Exchanges the code in the address that the provider sent the browser to. Throws if anything does not match. */
export async function exchangeCode(
  provider: IdentityProvider,
  address: URL,
  { state, verifier }: { state: string; verifier: string },
): Promise<ProvidedIdentity> {
  const { client } = await connect(provider);
  const tokens = await openid.authorizationCodeGrant(client, address, {
    expectedState: state,
    expectedNonce: await nonceOf(verifier),
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider gave no identity token.');
  if (claims.email !== undefined || !client.serverMetadata().userinfo_endpoint) return toIdentity(provider, claims);
  const person = await openid.fetchUserInfo(client, tokens.access_token, claims.sub);
  return toIdentity(provider, { ...person, iss: claims.iss });
}

/** Checks signature, issuer, audience and age of an identity token. Throws if one of them is wrong. */
export async function verifyIdentityToken(
  provider: IdentityProvider,
  idToken: string,
): Promise<{ identity: ProvidedIdentity; nonce: string }> {
  const { client, keys } = await connect(provider);
  const { payload } = await jwtVerify(idToken, keys, {
    audience: provider.clientId,
    algorithms: asymmetric,
    requiredClaims: ['iss', 'sub', 'aud', 'iat', 'exp', 'nonce'],
    clockTolerance: clockToleranceSeconds,
  });
  if (payload.iss !== issuerFor(client.serverMetadata().issuer, payload)) throw new Error('The issuer is another.');
  const isForOthersToo = Array.isArray(payload.aud) && payload.aud.length > 1;
  if ((isForOthersToo || payload.azp !== undefined) && payload.azp !== provider.clientId) {
    throw new Error('The token was made for another client.');
  }
  return { identity: toIdentity(provider, payload), nonce: z.string().min(1).parse(payload.nonce) };
}

async function connect(provider: IdentityProvider): Promise<Connection> {
  const known = connections.get(provider.issuer + provider.clientId);
  if (known) return known;
  const opening = open(provider);
  connections.set(provider.issuer + provider.clientId, opening);
  // If a provider did not answer, the next sign-in asks it again.
  opening.catch(() => connections.delete(provider.issuer + provider.clientId));
  return opening;
}

async function open({ issuer, clientId, clientSecret }: IdentityProvider): Promise<Connection> {
  const address = new URL(issuer);
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname);
  const client = await openid.discovery(address, clientId, clientSecret, undefined, {
    timeout: timeoutInSeconds,
    execute: [openid.enableNonRepudiationChecks, ...(isLocal ? [openid.allowInsecureRequests] : [])],
  });
  const keysAddress = client.serverMetadata().jwks_uri;
  if (!keysAddress) throw new Error('The provider publishes no keys.');
  return { client, keys: createRemoteJWKSet(new URL(keysAddress), { timeoutDuration: timeoutInSeconds * 1000 }) };
}

function nonceOf(verifier: string): Promise<string> {
  return openid.calculatePKCECodeChallenge(`nonce of ${verifier}`);
}

/** Microsoft has one issuer for each tenant. Its discovery document names a placeholder. */
function issuerFor(issuer: string, claims: JWTPayload): string {
  const tenant = z.uuid().safeParse(claims.tid);
  return tenant.success ? issuer.replace('{tenantid}', tenant.data) : issuer;
}

/** A name that we do not accept counts as missing. One that is too long is cut, and no half character stays. */
const Name = z
  .string()
  .transform((name) =>
    name
      .trim()
      .slice(0, longestName)
      .replace(/\p{Surrogate}/gu, ''),
  )
  .pipe(personName('A name is missing'))
  .optional()
  .catch(undefined);

const Claims = z.looseObject({
  iss: z.string().min(1),
  sub: z.string().min(1).max(255),
  email: z.email().max(254).optional().catch(undefined),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
  given_name: Name,
  family_name: Name,
  name: Name,
});

function toIdentity(provider: IdentityProvider, given: object): ProvidedIdentity {
  const claims = Claims.parse(given);
  const [firstOfName, ...restOfName] = (claims.name ?? Name.parse(claims.email?.split('@')[0]) ?? '').split(/\s+/);
  return {
    provider: provider.id,
    label: provider.label,
    accountId: `${claims.iss}|${claims.sub}`,
    verifiedEmail: claims.email_verified ? (claims.email?.trim().toLowerCase() ?? null) : null,
    firstName: claims.given_name ?? firstOfName ?? '',
    lastName: claims.family_name ?? restOfName.join(' '),
  };
}
