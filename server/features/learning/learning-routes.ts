import { recordAttendance as recordAttendanceEndpoint } from '#contract/functions.ts';
import {
  correctAttendance as correctAttendanceEndpoint,
  readActivity,
  readTrainingCalendar,
} from '#contract/learning.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { correctAttendance, recordAttendance } from './attendance.ts';
import { findActivity, findTrainingCalendar } from './learning-queries.ts';

export function learningRoutes(app: App): void {
  serve(app, readTrainingCalendar, ({ db, actor, query }) => findTrainingCalendar(db, actor, query));
  serve(app, readActivity, ({ db, actor, params }) => findActivity(db, actor, params.id));
  serve(app, correctAttendanceEndpoint, ({ db, actor, params, body }) =>
    correctAttendance(db, actor, { activityId: params.id, participantId: params.participantId, ...body }),
  );
  serve(app, recordAttendanceEndpoint, async ({ db, actor, body }) => {
    await recordAttendance(db, actor, body);
    return { success: true, error: null };
  });
}
