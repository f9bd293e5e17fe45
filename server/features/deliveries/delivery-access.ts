import { type SqlBool, sql } from 'kysely';

/** Seconds after which the link or code in a message has ended. */
const lifetimes = {
  confirm_email: 24 * 3600,
  password_reset: 3600,
  invitation: 7 * 24 * 3600,
  email_change: 3600,
  proof_code: 600,
  sign_in: 600,
  phone_code: 600,
};

/** Of a row `delivery`: the link or code in it opens nothing any more. */
export const hasEnded = sql<SqlBool>`exists (
  select from jsonb_each_text(${JSON.stringify(lifetimes)}::jsonb) as lifetime
  where lifetime.key = delivery.kind
    and delivery.created_at < now() - make_interval(secs => lifetime.value::double precision))`;

/** Of rows `delivery` and `recipient`: it is of use to somebody still. Who needs a new link asks for one, or is sent one. */
export const canBeRetried = sql<SqlBool>`(recipient.deleted_at is null and not ${hasEnded}
  and (delivery.event_id is not null or delivery.text_body <> ''))`;

/** Of a row `delivery`: no mail server has it without our knowing. */
export const isSurelyLost = sql<SqlBool>`delivery.awaiting_answer_since is null`;
