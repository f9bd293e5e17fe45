import { channel } from 'node:diagnostics_channel';
import { hash, verify } from '@node-rs/argon2';

/** argon2id with the 19 MiB and one lane that OWASP recommends, and a pass more than its least two. */
const present = { memoryCost: 19_456, timeCost: 3, parallelism: 1 };

/** Says of every hash that is made how many passes it takes: the tests compare what two requests cost. */
export const passesOfHashes = channel('switchyard:password-hash');

export function hashPassword(password: string): Promise<string> {
  passesOfHashes.publish(present.timeCost);
  return hash(password, present);
}

export function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  passesOfHashes.publish(present.timeCost);
  return verify(passwordHash, password);
}
