import * as contract from '#contract/stipends.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { handOverWeek } from './handovers.ts';
import { findStipendDetail } from './stipend-detail-queries.ts';
import { findStipends, findStipendWeek } from './stipend-queries.ts';
import { approveWeek, changeAmount, decideOnFreshFacts, processWeek } from './stipends.ts';

export function stipendRoutes(app: App): void {
  serve(app, contract.readStipendWeek, ({ db }) => findStipendWeek(db));
  serve(app, contract.processStipends, ({ db, body }) => processWeek(db, body.weekNumber));
  serve(app, contract.listStipends, ({ db, query }) => findStipends(db, query));
  serve(app, contract.readStipend, ({ db, params }) => findStipendDetail(db, params.id));
  serve(app, contract.approveStipend, ({ db, actor, params, body }) =>
    decideOnFreshFacts(db, actor, params.id, { decision: 'approved', version: body.version }),
  );
  serve(app, contract.denyStipend, ({ db, actor, params, body }) =>
    decideOnFreshFacts(db, actor, params.id, { decision: 'denied', version: body.version }),
  );
  serve(app, contract.approveWeek, ({ db, actor, body }) => approveWeek(db, actor, body.weekNumber));
  serve(app, contract.changeStipendAmount, ({ db, actor, params, body }) => changeAmount(db, actor, params.id, body));
  serve(app, contract.handOverWeek, ({ actor, body }) => handOverWeek(app, actor, body));
}
