import { z } from 'zod';
import { defineJob, defineQueue, type Job } from '#server/platform/jobs.ts';
import { emptyEndedDeliveries, giveUpLostDeliveries } from './lost-deliveries.ts';
import { sendMailJob } from './send-mail.ts';
import { sendPushJob } from './send-push.ts';
import { sendSmsJob } from './send-sms.ts';

const giveUpLostDeliveriesJob = defineJob({
  ...defineQueue('give-up-lost-deliveries', z.object({})),
  cron: '*/10 * * * *',
  run: async (app) => {
    await giveUpLostDeliveries(app);
    await emptyEndedDeliveries(app);
  },
});

export const deliveryJobs: Job[] = [giveUpLostDeliveriesJob, sendMailJob, sendPushJob, sendSmsJob];
