import * as contract from '#contract/training-activities.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { assignActivities, findAssignmentPreview } from './activity-assignments.ts';
import { assignActivity, updateTrainingActivity } from './training-activities.ts';
import { findActivityCohorts, findTrainingActivities, findTrainingActivity } from './training-activity-queries.ts';

export function trainingActivityRoutes(app: App): void {
  serve(app, contract.listTrainingActivities, ({ db, query }) => findTrainingActivities(db, query));
  serve(app, contract.listActivityCohorts, ({ db }) => findActivityCohorts(db));
  serve(app, contract.readTrainingActivity, ({ db, params }) => findTrainingActivity(db, params.id));
  serve(app, contract.updateTrainingActivity, ({ db, actor, params, body }) =>
    updateTrainingActivity(db, actor, params.id, body),
  );
  serve(app, contract.assignActivity, ({ db, actor, params, body }) => assignActivity(db, actor, params.id, body));
  serve(app, contract.previewActivityAssignment, ({ db, body }) => findAssignmentPreview(db, body));
  serve(app, contract.assignActivities, ({ db, actor, body }) => assignActivities(db, actor, body));
}
