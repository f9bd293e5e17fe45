import { jwtVerify, SignJWT } from 'jose';
import type { App } from '#server/platform/app-parts.ts';
import { machineTime } from '#server/platform/clock.ts';
import { keyFor, keysFor } from '#server/platform/secret-box.ts';

const confirmationSeconds = 24 * 3600;
const algorithm = 'HS256';
const audience = 'confirmation';

/**
 * Makes the link in the mail that confirms an address. It leads to a page, so a program that only opens links confirms
 * nothing.
 */
export async function confirmationLinkFor(app: App, email: string): Promise<string> {
  const token = await new SignJWT({ email })
    .setProtectedHeader({ alg: algorithm })
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(Math.floor(machineTime().getTime() / 1000) + confirmationSeconds)
    .sign(keyFor(app.secrets, audience));
  return `${app.config.publicUrl}${confirmationPage(token)}`;
}

function confirmationPage(token: string): string {
  return `/confirm-account#token=${token}`;
}

/** Returns the address that a link confirms, or null for a link that has ended or is not ours. */
export async function readConfirmationToken(app: App, token: string): Promise<string | null> {
  for (const key of keysFor(app.secrets, audience)) {
    const read = await jwtVerify<{ email?: unknown }>(token, key, { algorithms: [algorithm], audience }).catch(
      () => null,
    );
    if (typeof read?.payload.email === 'string') return read.payload.email;
  }
  return null;
}
