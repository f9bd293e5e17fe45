import {
  checkMailSignIn,
  completeProviderSignIn,
  requestMailSignIn,
  requestPasskeySignIn,
  requestSignInNonce,
  requestWalletSignIn,
  signInByIdentityToken,
  signInByMailCode,
  signInByMailLink,
  signInByPasskey,
  signInByWallet,
  startProviderSignIn,
} from '#contract/sign-in-ways.ts';
import * as mail from '#server/features/accounts/ways-in/mail-sign-in.ts';
import * as passkeys from '#server/features/accounts/ways-in/passkeys.ts';
import * as providers from '#server/features/accounts/ways-in/provider-sign-in.ts';
import * as wallets from '#server/features/accounts/ways-in/wallets.ts';
import type { App } from '#server/platform/app-parts.ts';
import { serve, serveStream } from '#server/platform/serve.ts';

export function signInWaysRoutes(app: App): void {
  serve(app, requestMailSignIn, async ({ request, body }) => {
    await mail.requestMailSignIn(app, request, body);
    return { status: true as const };
  });
  serve(app, checkMailSignIn, ({ request, body }) => mail.checkMailLink(app, request, body.token));
  serve(app, signInByMailLink, ({ request, reply, body }) => mail.signInByLink(app, request, reply, body.token));
  serve(app, signInByMailCode, ({ request, reply, body }) => mail.signInByCode(app, request, reply, body));

  serveStream(app, startProviderSignIn, async ({ request, reply, params, query }) =>
    reply.redirect(await providers.beginSignIn(app, request, reply, params.provider, query.next ?? null)),
  );
  serveStream(app, completeProviderSignIn, async ({ request, reply, params }) =>
    reply.redirect(await providers.completeSignIn(app, request, reply, params.provider)),
  );
  serve(app, requestSignInNonce, ({ request }) => providers.issueNonce(app, request));
  serve(app, signInByIdentityToken, async ({ request, reply, body }) => {
    await providers.signInByToken(app, request, reply, body);
    return { done: true as const };
  });

  serve(app, requestWalletSignIn, ({ request, body }) => wallets.messageForSignIn(app, request, body.address));
  serve(app, signInByWallet, async ({ request, reply, body }) => {
    await wallets.signInByWallet(app, request, reply, body);
    return { done: true as const };
  });
  serve(app, requestPasskeySignIn, ({ request }) => passkeys.optionsForSignIn(app, request));
  serve(app, signInByPasskey, async ({ request, reply, body }) => {
    await passkeys.signInByPasskey(app, request, reply, body.response);
    return { done: true as const };
  });
}
