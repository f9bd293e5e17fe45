import { jwtVerify, SignJWT } from 'jose';
import type { App } from '#server/platform/app-parts.ts';

const confirmationSeconds = 24 * 3600;
const algorithm = 'HS256';

/** The link in the mail that confirms an address. It leads to a page: what only opens links confirms nothing. */
export async function confirmationLinkFor(app: App, email: string): Promise<string> {
  const token = await new SignJWT({ email })
    .setProtectedHeader({ alg: algorithm })
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + confirmationSeconds)
    .sign(keyOf(app));
  return `${app.config.publicUrl}${confirmationPage(token)}`;
}

export function confirmationPage(token: string): string {
  return `/confirm-account#token=${token}`;
}

/** The address that a link confirms; null for a link that has ended or is not ours. */
export async function readConfirmationToken(app: App, token: string): Promise<string | null> {
  const read = await jwtVerify<{ email?: unknown }>(token, keyOf(app), { algorithms: [algorithm] }).catch(() => null);
  return typeof read?.payload.email === 'string' ? read.payload.email : null;
}

function keyOf(app: App): Uint8Array {
  return new TextEncoder().encode(app.auth.options.secret);
}
