import * as contract from '#contract/payments.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { recallHandover } from './handover-recalls.ts';
import { handOverWeek, previewHandover } from './handovers.ts';
import { renewPayee } from './payees.ts';
import { confirmPayments, requireSignature } from './payment-confirmations.ts';
import { takePaymentBack } from './payment-reversals.ts';
import { markPaid } from './payments.ts';
import { findReconciliation } from './reconciliation-queries.ts';

export function paymentRoutes(app: App): void {
  serve(app, contract.listReconciliation, ({ db, actor, query }) => findReconciliation(db, actor, query));
  serve(app, contract.renewStipendPayee, ({ db, actor, params, body }) =>
    renewPayee(db, actor, params.id, body.version),
  );
  serve(app, contract.previewHandover, ({ db, actor, query }) => previewHandover(db, actor, query));
  serve(app, contract.handOverWeek, ({ actor, body }) => handOverWeek(app, actor, body));
  serve(app, contract.recallHandover, ({ db, actor, params, body }) =>
    recallHandover(db, actor, params.id, body.reason),
  );
  serve(app, contract.markStipendPaid, ({ db, actor, params, body }) => markPaid(db, actor, params.id, body));
  serve(app, contract.takePaymentBack, ({ db, actor, params, body }) => takePaymentBack(db, actor, params.id, body));
  serve(
    app,
    contract.confirmPayments,
    ({ db, request, body }) => {
      const messageId = String(request.headers['webhook-id']);
      // Stryker disable next-line StringLiteral: A confirmation without a body was refused before.
      return confirmPayments(db, messageId, request.rawBody ?? '', body);
    },
    (rawBody, headers) => requireSignature(app.config.stipendWebhook, rawBody, headers),
  );
}
