import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { Config } from '#server/config.ts';

type WebhookSecrets = Pick<Config['stipendWebhook'], 'secret' | 'formerSecret'>;

/** The signatures by Standard Webhooks. One of each secret, so that the receiver may change to the new one at any time. */
export function signaturesOf(secrets: WebhookSecrets, messageId: string, at: Date, body: string): string {
  return signersOf(secrets)
    .map((signer) => signer.sign(messageId, at, body))
    .join(' ');
}

/** Throws WebhookVerificationError if none of the secrets signed the message, or if it is older than five minutes. */
export function verifyMessage(secrets: WebhookSecrets, rawBody: string, headers: IncomingHttpHeaders): void {
  let refusal: unknown;
  for (const signer of signersOf(secrets)) {
    try {
      signer.verify(rawBody, headers as Record<string, string>);
      return;
    } catch (error) {
      refusal ??= error;
    }
  }
  throw refusal;
}

/** After `whsec_` the key is in base64. Without it, the text itself is the key. */
function signersOf({ secret, formerSecret }: WebhookSecrets): Webhook[] {
  return [secret, formerSecret].flatMap((key) => {
    if (key === null) return [];
    return key.startsWith('whsec_') ? new Webhook(key) : new Webhook(key, { format: 'raw' });
  });
}
