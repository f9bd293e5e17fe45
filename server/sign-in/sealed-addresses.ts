import { z } from 'zod';
import { openText, type Secrets, sealText } from '../platform/secret-box.ts';

const purpose = 'address-of-a-job';

/** A job gets an email address in this form, because the job's row outlives the job and the person. */
export const SealedAddress = z.string().min(1);

export function sealAddress(secrets: Secrets, email: string): string {
  return sealText(secrets, purpose, email);
}

export function openAddress(secrets: Secrets, kept: string): string {
  return openText(secrets, purpose, kept);
}
