import { defineJob, type Job } from '#server/platform/jobs.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { participantScreens } from './participant-screens.ts';
import { recomputeProgress } from './progress.ts';
import { recomputeProgressQueue } from './progress-queue.ts';

const recomputeProgressJob = defineJob({
  ...recomputeProgressQueue,
  run: (app, { participantIds, cohortId }) =>
    app.db.transaction().execute(async (db) => {
      await recomputeProgress(db, participantIds, cohortId);
      await tellBrowsers(db, participantIds, { endpoints: participantScreens });
    }),
});

export const learningJobs: Job[] = [recomputeProgressJob];
