import { checksum, fromPublicKey } from 'ox/Address';
import { fromString } from 'ox/Hex';
import { getSignPayload } from 'ox/PersonalMessage';
import { getPublicKey, randomPrivateKey, sign } from 'ox/Secp256k1';
import { toHex } from 'ox/Signature';

export interface TestWallet {
  address: string;
  /** A wallet's answer to personal_sign. */
  sign(message: string): string;
}

export function newWallet(): TestWallet {
  const privateKey = randomPrivateKey();
  return {
    address: checksum(fromPublicKey(getPublicKey({ privateKey }))),
    sign: (message) => toHex(sign({ payload: getSignPayload(fromString(message)), privateKey })),
  };
}
