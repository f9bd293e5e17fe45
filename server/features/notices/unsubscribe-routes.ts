import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contract/unsubscribe.ts';
import type { App } from '#server/platform/app-parts.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { serveStream } from '#server/platform/serve.ts';
import { readUnsubscribeToken } from '#server/platform/unsubscribe-links.ts';
import { switchOff } from './preferences.ts';
import { donePage, questionPage } from './unsubscribe-page.ts';

export function unsubscribeRoutes(app: App): void {
  takeForms(app);
  const load = (token: string) => {
    const subscription = readUnsubscribeToken(app.secrets, token);
    if (!subscription) throw notFound('This unsubscribe link is not complete. Please open the link in the email.');
    return subscription;
  };
  serveStream(app, contract.showUnsubscribe, async ({ params, reply }) =>
    asPage(reply).send(questionPage(load(params.token).category)),
  );
  serveStream(app, contract.unsubscribe, async ({ db, params, reply }) => {
    const { userId, category } = load(params.token);
    await switchOff(db, userId, category);
    return asPage(reply).send(donePage(category));
  });
}

/** Mail programs send a form, and no other call takes one. The form says nothing that the address does not. */
function takeForms({ http }: App): void {
  const types = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  http.addContentTypeParser(types, { parseAs: 'buffer', bodyLimit: 16_384 }, async (request: FastifyRequest) => {
    if (request.routeOptions.url === contract.unsubscribe.path) return undefined;
    throw new AppError('unsupported_type', 'This content type is not accepted.');
  });
}

/** Under the policy of other pages, a browser would send this form with no origin, and the server would refuse it. */
function asPage(reply: FastifyReply): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'same-origin');
}
