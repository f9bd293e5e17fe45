import * as contract from '#contract/push.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { userAgentOf } from '#server/sign-in/device-words.ts';
import { loadPushKeys } from './push-keys.ts';
import { findPushedNotice, isSubscribed } from './push-queries.ts';
import { subscribe, unsubscribe } from './push-subscriptions.ts';

export function pushRoutes(app: App): void {
  serve(app, contract.readPushKey, async ({ db }) => ({ publicKey: (await loadPushKeys(db, app)).publicKey }));
  serve(app, contract.subscribePush, async ({ db, actor, body, request }) => {
    await subscribe(db, actor, body, app.config, userAgentOf(request));
    return { done: true as const };
  });
  serve(app, contract.unsubscribePush, async ({ db, actor, body }) => {
    await unsubscribe(db, actor, body.endpoint);
    return { done: true as const };
  });
  serve(app, contract.checkPush, async ({ db, actor, body }) => ({
    isOwn: await isSubscribed(db, actor, body.endpoint),
  }));
  serve(app, contract.readPushedNotice, ({ db, actor, params }) => findPushedNotice(db, actor, params.id));
}
