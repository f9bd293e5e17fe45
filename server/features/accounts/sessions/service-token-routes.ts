import { issueServiceToken, readKeySet, readWellKnownKeySet } from '#contract/service-tokens.ts';
import { signServiceToken } from '#server/features/accounts/sessions/service-tokens.ts';
import { readPublicKeys } from '#server/features/accounts/sessions/signing-keys.ts';
import type { App } from '#server/platform/app-parts.ts';
import { AppError } from '#server/platform/errors.ts';
import { serve } from '#server/platform/serve.ts';
import { isBrowser } from '#server/sign-in/auth-cookie.ts';

export function serviceTokenRoutes(app: App): void {
  serve(app, issueServiceToken, ({ actor, request }) => {
    if (isBrowser(request)) throw new AppError('forbidden', 'Tokens are for other programs; a browser has its cookie.');
    return signServiceToken(app, actor, request.identity?.assurance ?? null);
  });
  for (const endpoint of [readKeySet, readWellKnownKeySet]) {
    serve(app, endpoint, ({ db }) => readPublicKeys(db, app.secrets));
  }
}
