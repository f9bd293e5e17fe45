import { defineJob, type Job } from '#server/platform/jobs.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { tellOfCoachReplacement } from './coach-replacement-notices.ts';
import { tellOfCoachReplacementQueue } from './coach-replacement-queue.ts';
import { cancelSessionsOfPerson } from './person-sessions.ts';
import { cancelSessionsOfPersonQueue } from './person-sessions-queue.ts';

export const coachingJobs: Job[] = [
  defineJob({
    ...cancelSessionsOfPersonQueue,
    run: (app, { personId, actorId, reason }) =>
      inTransaction(app.db, (db) => cancelSessionsOfPerson(db, actorId, personId, reason)),
  }),
  defineJob({
    ...tellOfCoachReplacementQueue,
    run: (app, settled) => inTransaction(app.db, (db) => tellOfCoachReplacement(db, settled)),
  }),
];
