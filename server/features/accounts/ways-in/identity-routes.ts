import * as contract from '#contract/identities.ts';
import * as passkeys from '#server/features/accounts/ways-in/passkeys.ts';
import { beginLink } from '#server/features/accounts/ways-in/provider-sign-in.ts';
import * as wallets from '#server/features/accounts/ways-in/wallets.ts';
import * as waysIn from '#server/features/accounts/ways-in/ways-in.ts';
import type { App } from '#server/platform/app-parts.ts';
import { serve } from '#server/platform/serve.ts';

export function identityRoutes(app: App): void {
  serve(app, contract.listWaysIn, ({ db, actor }) => waysIn.listWaysIn(db, actor, app.config));
  serve(app, contract.startProviderLink, ({ actor, request, reply, params }) =>
    beginLink(app, actor, request, reply, params.provider),
  );
  serve(app, contract.requestWalletLink, ({ actor, body }) => wallets.messageForLink(app, actor, body.address));
  serve(app, contract.linkWallet, async ({ actor, body }) => {
    await wallets.linkWallet(app, actor, body);
    return { done: true as const };
  });
  serve(app, contract.unlinkIdentity, async ({ db, actor, params }) => {
    await waysIn.unlinkIdentity(db, actor, params.id, app.config);
    return { done: true as const };
  });
  serve(app, contract.requestPasskey, ({ actor }) => passkeys.optionsForNewPasskey(app, actor));
  serve(app, contract.addPasskey, ({ actor, body }) => passkeys.addPasskey(app, actor, body.name, body.response));
  serve(app, contract.renamePasskey, async ({ db, actor, params, body }) => {
    await passkeys.renamePasskey(db, actor, params.id, body.name);
    return { done: true as const };
  });
  serve(app, contract.removePasskey, async ({ db, actor, params }) => {
    await waysIn.removePasskey(db, actor, params.id, app.config);
    return { done: true as const };
  });
}
