import { timingSafeEqual } from 'node:crypto';
import { type NoticeCategory, noticeCategories } from '#contract/notices.ts';
import { unsubscribePath } from '#contract/unsubscribe.ts';
import { hashCode } from '#server/platform/secret-box.ts';

interface Subscription {
  userId: string;
  category: NoticeCategory;
}

/** The address lasts as long as the instance's secret, because a mail may be years old. */
export function unsubscribeAddress(publicUrl: string, secret: string, subscription: Subscription): string {
  const { userId, category } = subscription;
  return `${publicUrl}${unsubscribePath}/${userId}.${category}.${signatureOf(secret, subscription)}`;
}

/** Returns null if this instance did not sign the token. */
export function readUnsubscribeToken(secret: string, token: string): Subscription | null {
  const [userId, given, signature] = token.split('.');
  const category = noticeCategories.find((known) => known === given);
  if (!userId || !category || !signature) return null;
  const expected = Buffer.from(signatureOf(secret, { userId, category }));
  const actual = Buffer.from(signature);
  const isOurs = expected.length === actual.length && timingSafeEqual(expected, actual);
  return isOurs ? { userId, category } : null;
}

function signatureOf(secret: string, { userId, category }: Subscription): string {
  return hashCode(secret, 'unsubscribe', `${userId}.${category}`);
}
