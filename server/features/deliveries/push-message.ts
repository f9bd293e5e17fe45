import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { machineTime } from '#server/platform/clock.ts';

/** The server's keys towards push services. Both parts are base64url, and the public one is uncompressed. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

export interface PushTarget {
  endpoint: string;
  p256dh: string;
  authSecret: string;
}

/** Only a test chooses these. Every other message gets new ones. */
interface Chances {
  salt: Buffer;
  privateKey: Buffer;
}

const curve = 'prime256v1';
const recordSize = 4096;
const vapidLastsInSeconds = 12 * 3600;

export function makePushKeys(): PushKeys {
  const pair = createECDH(curve);
  pair.generateKeys();
  return { publicKey: pair.getPublicKey('base64url'), privateKey: padded(pair.getPrivateKey()).toString('base64url') };
}

/** True if messages can be sealed with it, because it is a point of the curve. */
export function isPushKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, curve, 'base64url');
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the body of a push message that only the browser can read: aes128gcm, RFC 8291 and RFC 8188, in one record.
 */
export function sealPush(
  { p256dh, authSecret }: Omit<PushTarget, 'endpoint'>,
  text: string,
  chances?: Chances,
): Buffer {
  const browserKey = Buffer.from(p256dh, 'base64url');
  const pair = createECDH(curve);
  if (chances) pair.setPrivateKey(chances.privateKey);
  else pair.generateKeys();
  const salt = chances?.salt ?? randomBytes(16);
  const ownKey = pair.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey]);
  const secret = derive(pair.computeSecret(browserKey), Buffer.from(authSecret, 'base64url'), info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const sealing = createCipheriv('aes-128-gcm', key, nonce);
  // The byte 2 ends the last record.
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.update(Buffer.from([2])), sealing.final()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordSize);
  return Buffer.concat([salt, size, Buffer.from([ownKey.length]), ownKey, sealed, sealing.getAuthTag()]);
}

/** Tells the push service who sends (RFC 8292). */
export async function vapidHeader(
  { publicKey, privateKey }: PushKeys,
  endpoint: string,
  contact: string,
): Promise<string> {
  const point = Buffer.from(publicKey, 'base64url');
  const key = await importJWK(
    {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: privateKey,
    },
    'ES256',
  );
  const token = await new SignJWT({ sub: contact })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(Math.floor(machineTime().getTime() / 1000) + vapidLastsInSeconds)
    .sign(key);
  return `vapid t=${token}, k=${publicKey}`;
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

/** A private key may begin with zeros, which the curve's code leaves out. */
function padded(key: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(32 - key.length), key]);
}
