import * as contract from '#contract/audit.ts';
import { houseZone } from '#contract/house-zone.ts';
import { dayAt } from '#contract/weeks.ts';
import type { App } from '#server/platform/app-parts.ts';
import { now } from '#server/platform/clock.ts';
import { serve, serveStream } from '#server/platform/serve.ts';
import { exportAuditLog } from './audit-csv.ts';
import { findAuditChoices, findAuditLog, findAuditPeople } from './audit-queries.ts';

export function auditRoutes(app: App): void {
  serve(app, contract.listAuditLog, ({ db, query }) => findAuditLog(db, query));
  serve(app, contract.readAuditChoices, ({ db }) => findAuditChoices(db));
  serve(app, contract.listAuditPeople, ({ db, query }) => findAuditPeople(db, query.search));
  serveStream(app, contract.exportAuditLog, async ({ db, actor, query, reply }) => {
    const log = await exportAuditLog(db, actor, query);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="audit-log-${dayAt(now(), houseZone)}.csv"`)
      .send(log);
  });
}
