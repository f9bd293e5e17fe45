import { SignJWT } from 'jose';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type issueServiceToken, serviceTokenSeconds } from '#contract/service-tokens.ts';
import { readSigningKey, signingAlgorithm } from '#server/features/accounts/sessions/signing-keys.ts';
import type { Actor, Assurance } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { machineTime } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';

/**
 * Tells another service who the person is, if it cannot ask here at every request. The role is the stored one at this
 * moment. The role and the session may end before the token does.
 */
export async function signServiceToken(
  app: Pick<App, 'db' | 'secrets' | 'config'>,
  actor: Actor,
  assurance: Assurance | null,
): Promise<ResponseOf<typeof issueServiceToken>> {
  if (!assurance || assurance.mustSetUpSecondFactor) {
    throw new AppError('second_factor_required', 'Your role needs a second factor. Set it up to continue.');
  }
  const { publicUrl } = app.config;
  const { id, key } = await readSigningKey(app.db, app.secrets);
  const beginsAt = Math.floor(machineTime().getTime() / 1000);
  const endsAt = beginsAt + serviceTokenSeconds;
  const token = await new SignJWT({ role: actor.role, sid: actor.sessionId, aal: assurance.level })
    .setProtectedHeader({ alg: signingAlgorithm, kid: id, typ: 'JWT' })
    .setSubject(actor.id)
    .setIssuer(publicUrl)
    .setAudience(publicUrl)
    .setIssuedAt(beginsAt)
    .setExpirationTime(endsAt)
    .sign(key);
  return { token, expiresAt: new Date(endsAt * 1000).toISOString() };
}
