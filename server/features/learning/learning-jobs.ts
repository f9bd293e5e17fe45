import { z } from 'zod';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { participantScreens } from './participant-screens.ts';
import { recomputeProgress } from './progress.ts';

/** Sent by other features in the transaction of what counts for progress, such as a review. */
const recomputeProgressJob = defineJob({
  name: 'recompute-progress',
  schema: z.object({ participantIds: z.array(z.uuid()), cohortId: z.uuid().nullable() }),
  run: (app, { participantIds, cohortId }) =>
    app.db.transaction().execute(async (db) => {
      await recomputeProgress(db, participantIds, cohortId);
      await tellBrowsers(db, participantIds, { endpoints: participantScreens });
    }),
});

export const learningJobs: Job[] = [recomputeProgressJob];
