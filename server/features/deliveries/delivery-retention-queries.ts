import { sql } from 'kysely';
import type { RetentionRule } from '#server/platform/retention.ts';

/**
 * What was sent to somebody stays as a line of who, when and about what. Its words go. The texts of codes and links go
 * at once, by `lost-deliveries.ts`.
 */
export const retainedMessages: RetentionRule = {
  kind: 'messages',
  what: 'Words of emails, texts and push messages that were sent, dropped or given up',
  setting: 'RETAIN_MESSAGES_DAYS',
  rows: (before) => sql`
    select id as key, created_at as at from deliveries
    where status in ('sent', 'dropped', 'given_up') and created_at < ${before}
      and (text_body <> '' or html_body is not null or calendar_text is not null)`,
  remove: (part) => sql`
    update deliveries set text_body = '', html_body = null, calendar_method = null, calendar_text = null
    where id in (${part})`,
};
