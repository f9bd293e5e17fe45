import type { App } from '#server/platform/app-parts.ts';
import { defineJob } from '#server/platform/jobs.ts';
import { openBody } from '#server/platform/sealed-bodies.ts';
import { sendSmsQueue } from '#server/platform/sms-queue.ts';
import { recordTry } from './delivery-state.ts';
import { type PhoneDelivery, takePhoneDelivery } from './phone-deliveries.ts';
import { type SmsRefusal, sendSms } from './sms.ts';

const timeoutInMs = 15_000;

/** Sends at least once. Every try carries the same key, by which a provider sends a message once. */
export const sendSmsJob = defineJob({
  ...sendSmsQueue,
  retryLimit: 10,
  retryDelay: 10,
  retryDelayMax: 2 * 3600,
  expireInSeconds: 120,
  run: async (app, { deliveryId }, attempt) => {
    const delivery = await takePhoneDelivery(app.db, sendSmsQueue, deliveryId);
    if (!delivery) return;
    const refusal = await tryToSend(app, delivery);
    if (!refusal) return recordTry(app.db, delivery, 'sent', null);
    const isGivenUp = refusal.isFinal || attempt.isLast;
    await recordTry(app.db, delivery, isGivenUp ? 'given_up' : 'failed', refusal.reason);
    if (!refusal.isFinal) throw new Error(refusal.reason);
  },
});

async function tryToSend({ config, secrets }: App, delivery: PhoneDelivery): Promise<SmsRefusal | null> {
  if (!config.sms) return { reason: 'SMS is not set up here.', isFinal: true };
  const { sms } = config;
  const send = async () => {
    const { text } = openBody(secrets, delivery);
    return sendSms(sms, { id: delivery.id, to: delivery.address, text }, timeoutInMs);
  };
  return send().catch((error: Error) => ({ reason: error.message, isFinal: false }));
}
