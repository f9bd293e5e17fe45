import { changeOwnNames, confirmEmailChange, requestEmailChange } from '#contract/own-details.ts';
import { askForEmailChange, changeEmailByLink } from '#server/features/accounts/own-details/email-change.ts';
import { changeNames } from '#server/features/accounts/own-details/own-details.ts';
import type { App } from '#server/platform/app-parts.ts';
import { serve } from '#server/platform/serve.ts';

export function ownDetailsRoutes(app: App): void {
  serve(app, changeOwnNames, ({ db, actor, body }) => changeNames(db, actor, body));
  serve(app, requestEmailChange, async ({ actor, body }) => {
    await askForEmailChange(app, actor, body.email);
    return { done: true as const };
  });
  serve(app, confirmEmailChange, ({ request, body }) => changeEmailByLink(app, request, body.token));
}
