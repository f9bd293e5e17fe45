import { checkMailSignIn, requestMailSignIn, signInByMailCode, signInByMailLink } from '#contract/sign-in-ways.ts';
import * as mail from '#server/features/accounts/mail-sign-in.ts';
import type { App } from '#server/platform/app-parts.ts';
import { serve } from '#server/platform/serve.ts';

/** The ways to sign in beside the password. */
export function signInWaysRoutes(app: App): void {
  serve(app, requestMailSignIn, async ({ request, body }) => {
    await mail.requestMailSignIn(app, request, body.email);
    return { status: true as const };
  });
  serve(app, checkMailSignIn, ({ request, body }) => mail.checkMailLink(app, request, body.token));
  serve(app, signInByMailLink, ({ request, reply, body }) => mail.signInByLink(app, request, reply, body.token));
  serve(app, signInByMailCode, ({ request, reply, body }) => mail.signInByCode(app, request, reply, body));
}
