import {
  correctAttendance as correctAttendanceEndpoint,
  readActivityContent,
  readAttendance,
  setContentTick as setContentTickEndpoint,
} from '#contract/activities.ts';
import {
  answerAttendanceCorrection,
  askForAttendanceCorrection,
  listAttendanceCorrections,
  readOwnAttendanceCorrections,
  withdrawAttendanceCorrection,
} from '#contract/attendance-corrections.ts';
import { recordAttendance as recordAttendanceEndpoint } from '#contract/documented-functions.ts';
import { readActivity, readTrainingCalendar } from '#contract/learning.ts';
import * as programmes from '#contract/programmes.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { correctAttendance, recordAttendance } from './attendance.ts';
import { findCorrections, findOwnCorrections } from './attendance-correction-queries.ts';
import { answerCorrection, askForCorrection, withdrawCorrection } from './attendance-corrections.ts';
import { excuseAbsence, takeExcuseBack } from './attendance-excuses.ts';
import { findAttendance } from './attendance-queries.ts';
import { setContentTick } from './content-ticks.ts';
import { findActivity, findActivityContent, findTrainingCalendar } from './learning-queries.ts';

export function learningRoutes(app: App): void {
  serve(app, readTrainingCalendar, ({ db, actor, query }) => findTrainingCalendar(db, actor, query));
  serve(app, readActivity, ({ db, actor, params }) => findActivity(db, actor, params.id));
  serve(app, readActivityContent, ({ db, actor, params }) => findActivityContent(db, actor, params.id));
  serve(app, setContentTickEndpoint, ({ db, actor, params, body }) =>
    setContentTick(db, actor, params.id, body.isTicked),
  );
  serve(app, readAttendance, ({ db, actor, params, query }) => findAttendance(db, actor, params.id, query));
  serve(app, correctAttendanceEndpoint, ({ db, actor, params, body }) =>
    correctAttendance(db, actor, { activityId: params.id, participantId: params.participantId, ...body }),
  );
  serve(app, programmes.excuseAbsence, ({ db, actor, params, body }) => excuseAbsence(db, actor, params, body.reason));
  serve(app, programmes.takeExcuseBack, ({ db, actor, params }) => takeExcuseBack(db, actor, params));
  serve(app, askForAttendanceCorrection, ({ db, actor, params, body }) => askForCorrection(db, actor, params.id, body));
  serve(app, readOwnAttendanceCorrections, ({ db, actor, params }) => findOwnCorrections(db, actor, params.id));
  serve(app, withdrawAttendanceCorrection, ({ db, actor, params }) => withdrawCorrection(db, actor, params.id));
  serve(app, listAttendanceCorrections, ({ db, actor, query }) => findCorrections(db, actor, query));
  serve(app, answerAttendanceCorrection, ({ db, actor, params, body }) => answerCorrection(db, actor, params.id, body));
  serve(app, recordAttendanceEndpoint, async ({ db, actor, body }) => {
    await recordAttendance(db, actor, body);
    return { success: true, error: null };
  });
}
