import * as contract from '#contract/coaching.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findWeeklyRatings } from './coaching-queries.ts';
import { rateWeek } from './ratings.ts';

export function coachingRoutes(app: App): void {
  serve(app, contract.listWeeklyRatings, async ({ db, actor, query }) => ({
    ratings: await findWeeklyRatings(db, actor, query.week ?? null),
  }));
  serve(app, contract.rateWeek, ({ db, actor, params, body }) => rateWeek(db, actor, { ...params, ...body }));
}
