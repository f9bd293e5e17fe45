import { Webhook } from 'standardwebhooks';

/** Signs and verifies as Standard Webhooks has it: `whsec_` is followed by the key in base64, else the text is the key. */
export function signerOf(secret: string): Webhook {
  return secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
}
