import { hash, verify } from '@node-rs/argon2';

/** argon2id with the 19 MiB and one lane that OWASP recommends, and a pass more than its least two. */
const present = { memoryCost: 19_456, timeCost: 3, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, present);
}

/** Takes as long for a hash of fewer passes as for a present one, so that the time tells nothing of an account. */
export async function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  const isRight = await verify(passwordHash, password);
  const missing = missingPasses(passwordHash);
  if (missing > 0) await hash(password, { ...present, timeCost: missing });
  return isRight;
}

/** Whether the hash is weaker than those that are made now. */
export function isOutdatedHash(passwordHash: string): boolean {
  return missingPasses(passwordHash) > 0;
}

/** Every hash of the product has the present memory and lanes; those from before decision 29 have two passes. */
function missingPasses(passwordHash: string): number {
  const [, passes] = /^\$argon2id\$v=19\$m=19456,t=(\d+),p=1\$/.exec(passwordHash) ?? [];
  if (passes === undefined) throw new Error('A password hash is of a kind that the product never made.');
  return Math.max(0, present.timeCost - Number(passes));
}
