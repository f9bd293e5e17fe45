import { z } from 'zod';
import { sealedFactors, signRecoveryCodes } from '#server/features/accounts/second-factor/sealed-factor-queries.ts';
import { sealedSigningKeys } from '#server/features/accounts/sessions/sealed-signing-key-queries.ts';
import { sealedPushKeys } from '#server/features/deliveries/sealed-push-key-queries.ts';
import { sealedFeeds } from '#server/features/learning/sealed-feed-queries.ts';
import { defineJob, defineQueue } from '#server/platform/jobs.ts';
import { type SealedColumn, sealAnew } from '#server/platform/sealed-columns.ts';

/**
 * Everything that is sealed for longer than a secret may last. Bodies of deliveries, codes and addresses in jobs end
 * within hours. Links to unsubscribe and recovery codes end with the secret that made them.
 */
export const sealedColumns: SealedColumn[] = [sealedFactors, sealedSigningKeys, ...sealedPushKeys, sealedFeeds];

/** Begins with the start of a process that accepts a former secret, and every night. */
export const sealAnewQueue = defineQueue('seal-anew', z.object({}));

export const sealAnewJob = defineJob({
  ...sealAnewQueue,
  cron: '20 4 * * *',
  expireInSeconds: 3600,
  run: async ({ db, secrets }) => {
    if (secrets.length > 1) for (const column of sealedColumns) await sealAnew(db, secrets, column);
    await signRecoveryCodes(db, secrets);
  },
});
