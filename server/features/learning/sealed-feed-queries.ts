import { roles } from '#contract/roles.ts';
import type { SealedColumn } from '#server/platform/sealed-columns.ts';
import { acceptedFeedHashes, hashFeedToken } from './calendar-feed-access.ts';

export const sealedFeeds: SealedColumn = {
  what: 'addresses of calendars',
  table: 'calendar_feeds',
  key: 'user_id',
  column: 'encrypted_token',
  purposeOf: feedPurposeOf,
  hashed: {
    column: 'token_hash',
    // The hash says in which role the feed was made. An earlier role's feed stays ended.
    rehash: (secrets, token, hash) => {
      const role = roles.find((made) => acceptedFeedHashes(secrets, made, token).includes(hash));
      return role ? hashFeedToken(secrets, role, token) : hash;
    },
  },
};

export function feedPurposeOf(userId: string): string {
  return `calendar-feed-of:${userId}`;
}
