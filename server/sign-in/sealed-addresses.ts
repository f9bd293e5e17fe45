import { z } from 'zod';
import { openText, sealText } from '../platform/secret-box.ts';

const purpose = 'address-of-a-job';

/** A job gets an email address in this form, because the job's row outlives the job and the person. */
export const SealedAddress = z.string().min(1);

export function sealAddress(secret: string, email: string): string {
  return sealText(secret, purpose, email);
}

export function openAddress(secret: string, kept: string): string {
  return openText(secret, purpose, kept);
}
