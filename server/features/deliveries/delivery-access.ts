import { type SqlBool, sql } from 'kysely';

/** The link or code in a message ends after this many seconds. */
const lifetimes = {
  confirm_email: 24 * 3600,
  password_reset: 3600,
  invitation: 7 * 24 * 3600,
  email_change: 3600,
  proof_code: 600,
  sign_in: 600,
  phone_code: 600,
};

/** It reads a row `delivery`, and is true once the link or code in it opens nothing anymore. */
export const hasEnded = sql<SqlBool>`exists (
  select from jsonb_each_text(${JSON.stringify(lifetimes)}::jsonb) as lifetime
  where lifetime.key = delivery.kind
    and delivery.created_at < now() - make_interval(secs => lifetime.value::double precision))`;

/**
 * It reads rows `delivery` and `recipient`, and is true if the delivery is still of use to somebody. A person who needs
 * a new link asks for one, or is sent one.
 */
export const canBeRetried = sql<SqlBool>`(recipient.deleted_at is null and not ${hasEnded}
  and (delivery.event_id is not null or delivery.text_body <> ''))`;

/** It reads a row `delivery`, and is true if no mail server can have it without our knowing. */
export const isSurelyLost = sql<SqlBool>`delivery.awaiting_answer_since is null`;
