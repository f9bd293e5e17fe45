import { defineJob, type Job } from '#server/platform/jobs.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { tellOfNewAdminsQueue } from './new-admin-queue.ts';
import { answerNewAdmins, inviteNewAdmins, tellOfNewAdmins } from './new-admins.ts';
import { tellRoleChangeQueue } from './role-change-queue.ts';
import { tellRoleChange } from './role-changes.ts';

export const userJobs: Job[] = [
  defineJob({
    ...tellRoleChangeQueue,
    run: (app, { personId, role }) =>
      inTransaction(app.db, async (db) => {
        await tellRoleChange(db, personId, role, app.config.publicUrl);
        if (role === 'admin') await tellOfNewAdmins(db, [personId], app.config.publicUrl);
      }),
  }),
  defineJob({
    ...tellOfNewAdminsQueue,
    run: (app, { personIds, isInvited, answer }) =>
      inTransaction(app.db, async (db) => {
        if (!isInvited) await inviteNewAdmins(db, personIds, app);
        if (answer) await answerNewAdmins(db, personIds, answer, app.config.publicUrl);
        await tellOfNewAdmins(db, personIds, app.config.publicUrl);
      }),
  }),
];
