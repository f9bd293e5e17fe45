import { followLeftChangesJob } from '#server/derivations.ts';
import { accountJobs } from '#server/features/accounts/account-jobs.ts';
import { backupJobs } from '#server/features/backups/backup-jobs.ts';
import { coachingJobs } from '#server/features/coaching/coaching-jobs.ts';
import { deliveryJobs } from '#server/features/deliveries/delivery-jobs.ts';
import { fileJobs } from '#server/features/files/file-jobs.ts';
import { homeJobs } from '#server/features/home/tallies.ts';
import { importJobs } from '#server/features/imports/import-jobs.ts';
import { learningJobs } from '#server/features/learning/learning-jobs.ts';
import { messageJobs } from '#server/features/messages/message-jobs.ts';
import { noticeJobs } from '#server/features/notices/notice-jobs.ts';
import { operationJobs } from '#server/features/operations/operation-jobs.ts';
import { paymentJobs } from '#server/features/payments/payment-jobs.ts';
import { stipendJobs } from '#server/features/stipends/stipend-jobs.ts';
import { userJobs } from '#server/features/users/user-jobs.ts';
import type { Job } from '#server/platform/jobs.ts';

/** Every job of the product. */
export const jobList: Job[] = [
  followLeftChangesJob,
  ...accountJobs,
  ...backupJobs,
  ...coachingJobs,
  ...deliveryJobs,
  ...fileJobs,
  ...homeJobs,
  ...importJobs,
  ...learningJobs,
  ...messageJobs,
  ...noticeJobs,
  ...operationJobs,
  ...paymentJobs,
  ...stipendJobs,
  ...userJobs,
];
