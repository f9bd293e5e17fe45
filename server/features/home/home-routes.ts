import {
  listCoachParticipants,
  readAdminDashboard,
  readCoachDashboard,
  readParticipantDashboard,
} from '#contract/home.ts';
import { listCoachWeeks, readWaitingAges } from '#contract/programme-figures.ts';
import { findCoachWeeks } from '#server/features/stipends/coach-week-queries.ts';
import { now } from '#server/platform/clock.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findAdminDashboard } from './admin-dashboard-queries.ts';
import { findCoachDashboard } from './coach-dashboard-queries.ts';
import { findCoachParticipants } from './coach-participant-queries.ts';
import { findParticipantDashboard } from './participant-dashboard-queries.ts';
import { findWaitingAges } from './waiting-age-queries.ts';

export function homeRoutes(app: App): void {
  serve(app, readParticipantDashboard, ({ db, actor, request }) =>
    findParticipantDashboard(db, actor, now(), request.log),
  );
  serve(app, readCoachDashboard, ({ db, actor }) => findCoachDashboard(db, actor, now()));
  serve(app, listCoachParticipants, ({ db, actor, query }) =>
    findCoachParticipants(db, actor, { at: now(), cursor: query.cursor }),
  );
  serve(app, listCoachWeeks, ({ db, actor, query }) => findCoachWeeks(db, actor, query.cursor));
  serve(app, readWaitingAges, ({ db, actor }) => findWaitingAges(db, actor));
  serve(app, readAdminDashboard, ({ db, actor, request }) => findAdminDashboard(db, actor, now(), request.log));
}
