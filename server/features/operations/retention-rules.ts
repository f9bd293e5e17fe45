import { retainedMessages } from '#server/features/deliveries/delivery-retention-queries.ts';
import { retainedImports } from '#server/features/imports/import-retention-queries.ts';
import { retainedNotices } from '#server/features/notices/notice-retention-queries.ts';
import type { RetentionRule } from '#server/platform/retention.ts';

/**
 * What goes by itself. The audit log, the ledger, payments and decisions about stipends stay for ever. Sessions, codes,
 * counters and the log of sign-ins have a job of their own (`account-jobs.ts`), and so have uploads that nothing names
 * (`file-jobs.ts`).
 */
export const retentionRules: RetentionRule[] = [retainedMessages, retainedImports, retainedNotices];
