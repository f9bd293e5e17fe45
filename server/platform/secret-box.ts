import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a text for the database with a key derived from the instance's secret. `purpose` is part of the key. A text
 * sealed for one purpose or person opens for no other, so name the owner in it.
 */
export function sealText(secret: string, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, keyFor(secret, purpose), nonce, { authTagLength: tagBytes });
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url');
}

/** Throws if the text was sealed with another secret or purpose, or has changed since. */
export function openText(secret: string, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const opening = createDecipheriv(cipher, keyFor(secret, purpose), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString('utf8');
}

/** Hashes short codes. A reader of the hash cannot try all codes without the instance's secret. */
export function hashCode(secret: string, purpose: string, code: string): string {
  return createHmac('sha256', keyFor(secret, purpose)).update(code).digest('base64url');
}

/** The key of one purpose. What it signs or seals is of no use for any other purpose. */
export function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `switchyard:${purpose}`, 32));
}
