import * as contract from '#contract/training-activities.ts';
import { editActivity } from '#server/features/curriculum/activities.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { assignActivities, assignActivity, findAssignmentPreview } from './activity-assignments.ts';
import { findActivityCohorts, findTrainingActivities, findTrainingActivity } from './training-activity-queries.ts';

export function trainingActivityRoutes(app: App): void {
  serve(app, contract.listTrainingActivities, ({ db, query }) => findTrainingActivities(db, query));
  serve(app, contract.listActivityCohorts, ({ db }) => findActivityCohorts(db));
  serve(app, contract.readTrainingActivity, ({ db, params }) => findTrainingActivity(db, params.id));
  serve(app, contract.updateTrainingActivity, async ({ db, actor, params, body }) => {
    await editActivity(db, actor, params.id, body);
    return findTrainingActivity(db, params.id);
  });
  serve(app, contract.assignActivity, ({ db, actor, params, body }) => assignActivity(db, actor, params.id, body));
  serve(app, contract.previewActivityAssignment, ({ db, body }) => findAssignmentPreview(db, body));
  serve(app, contract.assignActivities, ({ db, actor, body }) => assignActivities(db, actor, body));
}
