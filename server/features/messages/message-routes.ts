import * as contract from '#contract/messages.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findContacts } from './contact-queries.ts';
import { openConversation } from './conversation-openings.ts';
import { findConversation, findConversations, findOpenedConversation } from './conversation-queries.ts';
import { markConversationRead, sendMessage } from './messages.ts';

export function messageRoutes(app: App): void {
  serve(app, contract.listContacts, ({ db, actor, query }) => findContacts(db, actor, query));
  serve(app, contract.readConversation, ({ db, actor, params, query }) =>
    findConversation(db, actor, params.id, query),
  );
  serve(app, contract.sendMessage, ({ db, actor, params, body }) =>
    sendMessage(db, actor, { recipientId: params.id, ...body }),
  );
  serve(app, contract.markConversationRead, async ({ db, actor, params, body }) => ({
    readCount: await markConversationRead(db, actor, params.id, body.upToId),
  }));
  serve(app, contract.listConversations, ({ db, params, query }) => findConversations(db, params.id, query.cursor));
  serve(app, contract.openConversation, ({ db, actor, body }) => openConversation(db, actor, body));
  serve(app, contract.readOpenedConversation, ({ db, actor, params, query }) =>
    findOpenedConversation(db, actor, params.id, query),
  );
}
