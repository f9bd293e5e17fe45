import { defineJob, type Job } from '#server/platform/jobs.ts';
import { tellRoleChangeQueue } from './role-change-queue.ts';
import { tellRoleChange } from './role-changes.ts';

export const userJobs: Job[] = [
  defineJob({
    ...tellRoleChangeQueue,
    run: (app, { personId, role }) =>
      app.db.transaction().execute((db) => tellRoleChange(db, personId, role, app.config.publicUrl)),
  }),
];
