import { enrolInFellowship as enrolInFellowshipEndpoint } from '#contract/cohorts.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { enrolInFellowship } from './enrolments.ts';

export function cohortRoutes(app: App): void {
  serve(app, enrolInFellowshipEndpoint, ({ db, actor, body }) =>
    enrolInFellowship(db, actor, body.userId, app.config.enrolCohortId),
  );
}
