import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Role } from '#contract/roles.ts';
import { keysFor, type Secrets } from '#server/platform/secret-box.ts';

export const sessionSeconds = 7 * 24 * 3600;
/** A session in use is prolonged once its end has come this much nearer. */
export const renewalSeconds = 24 * 3600;
/**
 * The longest time that browsers keep a cookie. The session's row decides when the session ends. Streams and uploads
 * prolong it too, and cannot send a cookie.
 */
const cookieSeconds = 400 * 24 * 3600;
const verifierSeconds = 600;

/**
 * Under https, browsers take a cookie with this prefix only from this host itself, never from a neighboring host of the
 * same domain, and only for all of its paths.
 */
function cookiePrefix(publicUrl: string): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}switchyard`;
}

export function sessionCookieName(publicUrl: string): string {
  return `${cookiePrefix(publicUrl)}.session_token`;
}

/** Makes `App.sessionKeys`. */
export function sessionKeysOf(secrets: Secrets): Secrets {
  const [current = '', ...former] = keysFor(secrets, 'session').map((key) => key.toString('base64url'));
  return [current, ...former];
}

/**
 * Returns the session token that the request proves by cookie or by `Authorization: Bearer`, and whether the present key
 * signed it. Null without a valid signature.
 */
export function readSessionToken(
  request: FastifyRequest,
  publicUrl: string,
  sessionKeys: Secrets,
): { token: string; isCurrent: boolean } | null {
  const signed = readBearer(request) ?? readCookie(request.headers.cookie, sessionCookieName(publicUrl));
  if (!signed) return null;
  const split = signed.indexOf('.');
  if (split < 1) return null;
  const token = signed.slice(0, split);
  const given = Buffer.from(signed.slice(split + 1), 'base64');
  const place = sessionKeys.findIndex((key) => isSignature(given, signatureOf(token, key)));
  return place < 0 ? null : { token, isCurrent: place === 0 };
}

function isSignature(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export function sessionCookie(token: string, publicUrl: string, sessionKeys: Secrets): string {
  const value = encodeURIComponent(signedSessionToken(token, sessionKeys));
  return cookieOf(sessionCookieName(publicUrl), value, cookieSeconds, publicUrl);
}

export function endedSessionCookie(publicUrl: string): string {
  return cookieOf(sessionCookieName(publicUrl), '', 0, publicUrl);
}

/** A client that is no browser sends this as `Authorization: Bearer`. */
export function signedSessionToken(token: string, [sessionKey]: Secrets): string {
  return `${token}.${signatureOf(token, sessionKey).toString('base64')}`;
}

/** Browsers name themselves by headers that no script can leave out. They get cookies only, never a token. */
export function isBrowser(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined;
}

export function hasBearer({ headers }: FastifyRequest): boolean {
  return /^bearer(\s|$)/i.test(headers.authorization ?? '');
}

export function deviceCookieName(publicUrl: string): string {
  return `${cookiePrefix(publicUrl)}.device`;
}

export function deviceCookie(token: string, publicUrl: string): string {
  return cookieOf(deviceCookieName(publicUrl), token, cookieSeconds, publicUrl);
}

export function readDeviceToken(request: FastifyRequest, publicUrl: string): string | null {
  const token = readCookie(request.headers.cookie, deviceCookieName(publicUrl));
  return token && /^[\w-]{43}$/.test(token) ? token : null;
}

/** Tells what the page of a dashboard may name. It opens nothing, and may be out of date. Null takes it away. */
export function roleCookie(role: Role | null, publicUrl: string): string {
  return cookieOf(roleCookieName(publicUrl), role ?? '', role ? cookieSeconds : 0, publicUrl);
}

export function readRoleCookie(request: FastifyRequest, publicUrl: string): Role | null {
  return Role.safeParse(readCookie(request.headers.cookie, roleCookieName(publicUrl))).data ?? null;
}

function roleCookieName(publicUrl: string): string {
  return `${cookiePrefix(publicUrl)}.role`;
}

/**
 * Keeps a secret of the browser that began a sign-in at a provider. Null takes it away. Each sign-in has its own
 * cookie, so that two tabs do not take each other's.
 */
export function verifierCookie(state: string, verifier: string | null, publicUrl: string): string {
  return cookieOf(verifierCookieName(state, publicUrl), verifier ?? '', verifier ? verifierSeconds : 0, publicUrl);
}

export function readVerifier(request: FastifyRequest, state: string, publicUrl: string): string | null {
  return readCookie(request.headers.cookie, verifierCookieName(state, publicUrl)) || null;
}

function verifierCookieName(state: string, publicUrl: string): string {
  const sign = createHash('sha256').update(state).digest('hex').slice(0, 16);
  return `${cookiePrefix(publicUrl)}.verifier-${sign}`;
}

function cookieOf(name: string, value: string, seconds: number, publicUrl: string): string {
  const attributes = [`Max-Age=${seconds}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (isSecure(publicUrl)) attributes.push('Secure');
  return `${name}=${value}; ${attributes.join('; ')}`;
}

function readBearer(request: FastifyRequest): string | null {
  return hasBearer(request) ? decode(request.headers.authorization?.slice('bearer '.length).trim() ?? '') : null;
}

function readCookie(header: string | undefined, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return decode(value.join('='));
  }
  return null;
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function signatureOf(token: string, sessionKey: string): Buffer {
  return createHmac('sha256', sessionKey).update(token).digest();
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https://');
}
