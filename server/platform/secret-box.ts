import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * The instance's secrets: AUTH_SECRET, and the ones before it that are still accepted. The first seals and signs. What
 * any of them sealed or signed is opened and believed.
 */
export type Secrets = readonly [current: string, ...former: string[]];

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a text for the database with a key derived from the instance's secret. `purpose` is part of the key. A text
 * sealed for one purpose or person opens for no other, so name the owner in it.
 */
export function sealText(secrets: Secrets, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, keyFor(secrets, purpose), nonce, { authTagLength: tagBytes });
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url');
}

/** Throws if the text was sealed with another secret or purpose, or has changed since. */
export function openText(secrets: Secrets, purpose: string, sealed: string): string {
  return openSealed(secrets, purpose, sealed).text;
}

/** As openText, and says whether the present secret sealed it. */
export function openSealed(secrets: Secrets, purpose: string, sealed: string): { text: string; isCurrent: boolean } {
  const failures: unknown[] = [];
  for (const [place, key] of keysFor(secrets, purpose).entries()) {
    try {
      return { text: openWith(key, sealed), isCurrent: place === 0 };
    } catch (failure) {
      failures.push(failure);
    }
  }
  throw new Error('No accepted secret opens this text.', { cause: failures[0] });
}

function openWith(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString('utf8');
}

/** Hashes short codes. A reader of the hash cannot try all codes without the instance's secret. */
export function hashCode(secrets: Secrets, purpose: string, code: string): string {
  return hashWith(keyFor(secrets, purpose), code);
}

/** Every hash that the code may be kept as. The first is the one of `hashCode`. */
export function acceptedHashes(secrets: Secrets, purpose: string, code: string): string[] {
  return keysFor(secrets, purpose).map((key) => hashWith(key, code));
}

function hashWith(key: Buffer, code: string): string {
  return createHmac('sha256', key).update(code).digest('base64url');
}

/** Tells apart which secret a hash was made with. The first is the present one's. Nothing can be learned from it. */
export function signsOf(secrets: Secrets): string[] {
  return keysFor(secrets, 'sign').map((key) => key.toString('hex').slice(0, 16));
}

/** The key of one purpose. What it signs or seals is of no use for any other purpose. */
export function keyFor([current]: Secrets, purpose: string): Buffer {
  return deriveKey(current, purpose);
}

/** The keys that may have signed or sealed. The first is the one of `keyFor`. */
export function keysFor(secrets: Secrets, purpose: string): Buffer[] {
  return secrets.map((secret) => deriveKey(secret, purpose));
}

function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `switchyard:${purpose}`, 32));
}
