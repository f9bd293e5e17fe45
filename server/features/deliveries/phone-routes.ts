import * as contract from '#contract/phone-numbers.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { confirmPhone, removePhone, requestPhoneCode } from './phone.ts';

export function phoneRoutes(app: App): void {
  serve(app, contract.requestPhoneCode, ({ actor, body }) => requestPhoneCode(app, actor, body.phone));
  serve(app, contract.confirmPhone, ({ actor, body }) => confirmPhone(app, actor, body.code));
  serve(app, contract.removePhone, async ({ db, actor }) => {
    await removePhone(db, actor);
    return { done: true as const };
  });
}
