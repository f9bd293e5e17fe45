import { Role } from '#contract/roles.ts';
import { AppError } from '#server/platform/errors.ts';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { sendMessageQueue } from './message-queue.ts';
import { sendMessage } from './messages.ts';

/** If the sender may no longer write to the other person, nothing is sent, and the log says so. */
const sendMessageJob = defineJob({
  ...sendMessageQueue,
  run: async (app, { senderId, ...message }) => {
    const sender = await app.db
      .selectFrom('profiles')
      .select(['id', 'role', 'firstName', 'lastName'])
      .where('id', '=', senderId)
      .executeTakeFirstOrThrow();
    await inTransaction(app.db, (db) => sendMessage(db, { ...sender, role: Role.parse(sender.role) }, message)).catch(
      (error: unknown) => {
        if (!(error instanceof AppError && error.code === 'forbidden')) throw error;
        app.http.log.warn(
          { err: error, senderId },
          'A message was not sent: its sender may not write to the recipient.',
        );
      },
    );
  },
});

export const messageJobs: Job[] = [sendMessageJob];
