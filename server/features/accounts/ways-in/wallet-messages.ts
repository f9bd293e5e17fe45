import * as Address from 'ox/Address';
import type * as Hex from 'ox/Hex';
import { fromString } from 'ox/Hex';
import { getSignPayload } from 'ox/PersonalMessage';
import { recoverAddress } from 'ox/Secp256k1';
import { createMessage, parseMessage } from 'ox/Siwe';
import type { Config } from '#server/config.ts';
import { machineTime } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { oneTimeSeconds } from '#server/sign-in/one-time-values.ts';

/** Ethereum's main network. */
const chainId = 1;

/** Writes the message of EIP-4361 that a wallet is asked to sign. */
export function writeMessage(
  config: Config,
  { nonce, address, statement }: Record<'nonce' | 'address' | 'statement', string>,
): string {
  const issuedAt = machineTime();
  return createMessage({
    address: Address.checksum(address),
    chainId,
    domain: new URL(config.publicUrl).host,
    expirationTime: new Date(issuedAt.getTime() + oneTimeSeconds * 1000),
    issuedAt,
    nonce,
    statement,
    uri: config.publicUrl,
    version: '1',
  });
}

/** Reads a message, no matter who wrote it. */
export function readMessage(config: Config, message: string) {
  const said = parseMessage(message);
  const { address, nonce, issuedAt, expirationTime } = said;
  return {
    address,
    nonce,
    isForHere:
      said.domain === new URL(config.publicUrl).host &&
      said.uri === config.publicUrl &&
      said.chainId === chainId &&
      said.version === '1',
    isFresh: issuedAt && isWithin(issuedAt) && expirationTime && expirationTime.getTime() > machineTime().getTime(),
  };
}

/** Returns the address of the wallet that made the signature. */
export function signerOf(message: string, signature: string): string {
  try {
    const payload = getSignPayload(fromString(message));
    return recoverAddress({ payload, signature: signature as Hex.Hex }).toLowerCase();
  } catch (error) {
    throw new AppError('not_authenticated', 'The signature cannot be read.', { cause: error });
  }
}

function isWithin(issuedAt: Date): boolean {
  const age = machineTime().getTime() - issuedAt.getTime();
  return age > -60_000 && age < oneTimeSeconds * 1000;
}
