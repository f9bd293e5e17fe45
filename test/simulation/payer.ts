import { newId } from '#server/platform/ids.ts';
import { paymentSecret, sendConfirmation, startPaymentSystem } from '#test/support/payment-system.ts';

export type Payer = Awaited<ReturnType<typeof startPayer>>;

/** A payment system that has each batch once, and may tell of it late, twice, or in another order. */
export async function startPayer() {
  const system = await startPaymentSystem();
  return {
    system,
    /** The batches that it has, whatever answer it gave. */
    batches: () => [
      ...new Set(
        system.received
          .filter(({ answer }) => answer === 'cut' || answer === 'none' || answer.status < 300)
          .map(({ headers }) => String(headers['webhook-id'])),
      ),
    ],
    /** Tells that it paid a batch. Told again under another message, it is still the same payment. */
    tell: async (url: string, batch: string, { isNewMessage, at }: { isNewMessage: boolean; at: Date }) => {
      const messageId = isNewMessage ? newId() : `message of ${batch}`;
      const body = { handover_id: batch, reference: `Payment of ${batch}`, paid_at: at.toISOString() };
      const answer = await sendConfirmation(url, { body, messageId, secret: paymentSecret });
      return { messageId, isTaken: answer.ok, status: answer.status };
    },
  };
}
