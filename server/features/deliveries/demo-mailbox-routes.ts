import { showDemoMail, showDemoMailbox } from '#contract/deliveries.ts';
import type { App } from '#server/platform/app-parts.ts';
import { notFound } from '#server/platform/errors.ts';
import { serveStream } from '#server/platform/serve.ts';
import { mailboxPage, mailPage } from './demo-mailbox-page.ts';
import { listMails, readMail } from './demo-mailbox-queries.ts';

/** Shows every mail to everybody, so it is there only on demo instances that send none. */
export function demoMailboxRoutes(app: App): void {
  serveStream(app, showDemoMailbox, async ({ db, query, reply }) => {
    requireMailbox(app);
    const found = await listMails(db, query);
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(mailboxPage(found, query.to ?? ''));
  });
  serveStream(app, showDemoMail, async ({ db, params, reply }) => {
    requireMailbox(app);
    const mail = await readMail(db, app.secrets, params.id);
    if (!mail) throw notFound('We cannot find this email.');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(mailPage(mail));
  });
}

function requireMailbox(app: App): void {
  if (!app.config.hasDemoMailbox) throw notFound('There is nothing at this address.');
}
