import * as contract from '#contract/stipends.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { handOverWeek } from './handovers.ts';
import { stipendDetail } from './stipend-detail-queries.ts';
import { stipendPage, stipendWeek } from './stipend-queries.ts';
import { approveWeek, changeAmount, decideOnFreshFacts, processWeek } from './stipends.ts';

export function stipendRoutes(app: App): void {
  serve(app, contract.readStipendWeek, ({ db }) => stipendWeek(db));
  serve(app, contract.processStipends, ({ db, body }) => processWeek(db, body.weekNumber));
  serve(app, contract.listStipends, ({ db, query }) => stipendPage(db, query));
  serve(app, contract.readStipend, ({ db, params }) => stipendDetail(db, params.id));
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
