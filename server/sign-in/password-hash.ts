import { channel } from 'node:diagnostics_channel';
import { hash, verify } from '@node-rs/argon2';

/** argon2id with the 19 MiB and one lane that OWASP recommends, and a pass more than its least two. */
const present = { memoryCost: 19_456, timeCost: 3, parallelism: 1 };

/** Says of every hash that is made how many passes it takes: the tests compare what two requests cost. */
export const passesOfHashes = channel('switchyard:password-hash');

export function hashPassword(password: string): Promise<string> {
  return hashIn(password, present.timeCost);
}

/** Takes as long for a hash of fewer passes as for a present one, so that the time tells nothing of an account. */
export async function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  const missing = missingPasses(passwordHash);
  passesOfHashes.publish(present.timeCost - missing);
  const isRight = await verify(passwordHash, password);
  if (missing > 0) await hashIn(password, missing);
  return isRight;
}

/** Whether the hash is weaker than those that are made now. */
export function isOutdatedHash(passwordHash: string): boolean {
  return missingPasses(passwordHash) > 0;
}

function hashIn(password: string, timeCost: number): Promise<string> {
  passesOfHashes.publish(timeCost);
  return hash(password, { ...present, timeCost });
}

/** Every hash of the product has the present memory and lanes; those from before decision 29 have two passes. */
function missingPasses(passwordHash: string): number {
  const [, passes] = /^\$argon2id\$v=19\$m=19456,t=(\d+),p=1\$/.exec(passwordHash) ?? [];
  if (passes === undefined) throw new Error('A password hash is of a kind that the product never made.');
  return Math.max(0, present.timeCost - Number(passes));
}
