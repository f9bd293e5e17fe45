import { readCohortWeeks } from '#contract/programme-figures.ts';
import * as cohorts from '#contract/stipend-cohorts.ts';
import * as exports from '#contract/stipend-exports.ts';
import * as sets from '#contract/stipend-sets.ts';
import * as contract from '#contract/stipends.ts';
import { type App, requireFreshProof, serve, serveStream } from '#server/platform/serve.ts';
import { findCohortWeeks } from './cohort-week-queries.ts';
import { setSecondApprover } from './second-approvers.ts';
import { approveAmount, changeAmount, findRuleAmount } from './stipend-amounts.ts';
import { findStipendCohorts, findStipendWeek } from './stipend-cohort-queries.ts';
import { findStipendDetail } from './stipend-detail-queries.ts';
import { sendOwnStipends, sendStipendExport } from './stipend-exports.ts';
import { findStipends } from './stipend-queries.ts';
import { approveStipends, denyStipends } from './stipend-sets.ts';
import { decideOnFreshFacts, processWeek } from './stipends.ts';
import { findUnprocessedCohorts, processCohorts } from './unprocessed-cohorts.ts';
import { approveWeekOnFreshFacts } from './week-approval.ts';

export function stipendRoutes(app: App): void {
  serve(app, contract.readStipendWeek, ({ db, query }) => findStipendWeek(db, query.cohort));
  serve(app, cohorts.listStipendCohorts, ({ db, actor }) => findStipendCohorts(db, actor));
  serve(app, readCohortWeeks, ({ db, params }) => findCohortWeeks(db, params.id));
  serve(app, cohorts.listUnprocessedCohorts, ({ db, query }) => findUnprocessedCohorts(db, query.week));
  serve(app, cohorts.processUnprocessedCohorts, ({ db, body }) => processCohorts(db, body.weekNumber));
  serve(app, cohorts.setSecondApprover, ({ db, actor, params, body }) => setSecondApprover(db, actor, params.id, body));
  serve(app, contract.processStipends, ({ db, body }) => processWeek(db, body.weekNumber, body.cohortId));
  serve(app, contract.listStipends, ({ db, actor, query, request }) =>
    findStipends(db, actor, query, (error) => request.log.error({ err: error, req: request }, 'failed')),
  );
  serveStream(app, exports.exportStipends, ({ db, actor, query, reply }) => sendStipendExport(db, actor, query, reply));
  serveStream(app, exports.exportOwnStipends, async ({ db, actor, query, reply }) =>
    sendOwnStipends(db, actor, query.format, reply),
  );
  serve(app, contract.readStipend, ({ db, actor, params }) => findStipendDetail(db, actor, params.id));
  serve(app, contract.approveStipend, ({ db, actor, params, body }) =>
    decideOnFreshFacts(db, actor, params.id, { decision: 'approved', version: body.version }),
  );
  serve(app, contract.denyStipend, ({ db, actor, params, body }) =>
    decideOnFreshFacts(db, actor, params.id, { decision: 'denied', ...body }),
  );
  serve(app, contract.approveWeek, ({ db, actor, body }) => approveWeekOnFreshFacts(db, actor, body));
  serve(app, sets.approveStipends, ({ db, actor, body }) => approveStipends(db, actor, body.rows));
  serve(app, sets.denyStipends, ({ db, actor, body }) => denyStipends(db, actor, body));
  serve(app, contract.changeStipendAmount, async ({ db, actor, params, body, request }) => {
    if (body.amountCents > (await findRuleAmount(db, params.id))) requireFreshProof(request.identity);
    return changeAmount(db, actor, params.id, body);
  });
  serve(app, contract.approveStipendAmount, ({ db, actor, params, body }) =>
    approveAmount(db, actor, params.id, body.version),
  );
}
