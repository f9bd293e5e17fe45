import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface Asked {
  challenge: string;
  origin: string;
}

/** A device with one passkey that does what browsers allow. A test can make its answers as wrong as it wants. */
export interface TestAuthenticator {
  credentialId: string;
  counter: number;
  create(asked: Asked, options?: { isVerified?: boolean }): Record<string, unknown>;
  answer(
    asked: Asked,
    options?: { userHandle?: string; counter?: number; site?: string; isVerified?: boolean },
  ): Record<string, unknown>;
}

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

export function newAuthenticator(site: string): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');
  const coseKey = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]);
  const base = { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} };
  const device: TestAuthenticator = {
    credentialId,
    counter: 0,
    create: (asked, { isVerified = true } = {}) => {
      const flags = userPresent | hasCredential | (isVerified ? userVerified : 0);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = [Buffer.alloc(16), length, id, Buffer.from(isoCBOR.encode(coseKey))];
      const authData = Buffer.concat([authenticatorData(site, flags, device.counter), ...credential]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        ...base,
        response: {
          clientDataJSON: clientData('webauthn.create', asked).toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    answer: (asked, { userHandle, counter, site: otherSite = site, isVerified = true } = {}) => {
      device.counter += 1;
      const data = clientData('webauthn.get', asked);
      const flags = userPresent | (isVerified ? userVerified : 0);
      const authData = authenticatorData(otherSite, flags, counter ?? device.counter);
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()]);
      return {
        ...base,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: userHandle === undefined ? undefined : Buffer.from(userHandle).toString('base64url'),
        },
      };
    },
  };
  return device;
}

function authenticatorData(site: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(site).digest(), Buffer.from([flags]), count]);
}

function clientData(type: string, { challenge, origin }: Asked): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
