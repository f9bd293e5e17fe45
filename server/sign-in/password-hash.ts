import { channel } from 'node:diagnostics_channel';
import { hash, verify } from '@node-rs/argon2';

/** argon2id with the 19 MiB and one lane that OWASP recommends, and one pass more than its minimum of two. */
const present = { memoryCost: 19_456, timeCost: 3, parallelism: 1 };

/** Reports the passes of every hash that is made, because the tests compare the cost of two requests. */
export const passesOfHashes = channel('switchyard:password-hash');

export function hashPassword(password: string): Promise<string> {
  passesOfHashes.publish(present.timeCost);
  return hash(password, present);
}

export function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  passesOfHashes.publish(present.timeCost);
  return verify(passwordHash, password);
}
