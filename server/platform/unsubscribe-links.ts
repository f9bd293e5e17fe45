import { timingSafeEqual } from 'node:crypto';
import { type NoticeCategory, noticeCategories } from '#contract/notices.ts';
import { unsubscribePath } from '#contract/unsubscribe.ts';
import { acceptedHashes, hashCode, type Secrets } from '#server/platform/secret-box.ts';

const purpose = 'unsubscribe';

interface Subscription {
  userId: string;
  category: NoticeCategory;
}

/** The address lasts as long as the instance's secrets, because a mail may be years old. */
export function unsubscribeAddress(publicUrl: string, secrets: Secrets, subscription: Subscription): string {
  const signed = signedPart(subscription);
  return `${publicUrl}${unsubscribePath}/${signed}.${hashCode(secrets, purpose, signed)}`;
}

/** Returns null if this instance did not sign the token. */
export function readUnsubscribeToken(secrets: Secrets, token: string): Subscription | null {
  const [userId, given, signature] = token.split('.');
  const category = noticeCategories.find((known) => known === given);
  if (!userId || !category || !signature) return null;
  const isOurs = acceptedHashes(secrets, purpose, signedPart({ userId, category })).some((expected) =>
    isSame(Buffer.from(expected), Buffer.from(signature)),
  );
  return isOurs ? { userId, category } : null;
}

function signedPart({ userId, category }: Subscription): string {
  return `${userId}.${category}`;
}

function isSame(expected: Buffer, actual: Buffer): boolean {
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
