import { hash, verify } from '@node-rs/argon2';

/** argon2id with the 19 MiB and one lane that OWASP recommends, and a pass more than its least two. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 3, parallelism: 1 });
}

export function isPasswordOf(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}
