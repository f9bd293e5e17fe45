import { Webhook } from 'standardwebhooks';

/**
 * Signs and verifies by Standard Webhooks. After `whsec_` the key is in base64. Without it, the text itself is the key.
 */
export function signerOf(secret: string): Webhook {
  return secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
}
