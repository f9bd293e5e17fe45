import { type RawBuilder, sql } from 'kysely';
import { readSession } from '#contract/accounts.ts';
import { listNotices } from '#contract/notices.ts';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import {
  type CalendarInvitation,
  calendarInvitationMethod,
  calendarInvitationText,
} from '#server/platform/calendar-text.ts';
import { now } from '#server/platform/clock.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { mailTemplate } from '#server/platform/mail-template.ts';
import { type Mail, queueMail } from '#server/platform/mailer.ts';
import type { NoticeFacts } from '#server/platform/notices.ts';
import { type Push, queuePushes } from './push-queue.ts';
import { dueReminders } from './reminders.ts';

interface DueEvent {
  id: string;
  kind: string;
  userId: string;
  facts: NoticeFacts;
  eventKey: string;
  email: string;
  firstName: string;
  isGone: boolean;
  isListed: boolean;
  isWanted: boolean;
  isNeeded: boolean;
  emailEnabled: boolean;
  /** Switched on, and at least one browser takes them. */
  hasPush: boolean;
}

type MailSettings = Pick<App['config'], 'publicUrl' | 'mailFrom'>;

/** Why nothing left the product. */
type Outcome = 'sent' | 'person_deleted' | 'no_longer_needed' | 'switched_off' | 'no_channel';

const batchSize = 200;

/**
 * Decides about the events that are due, as preferences and things stand now, in the caller's transaction (PREF-13). Of
 * two processes each takes other events. Answers whether more may wait.
 */
export async function decideBatch(db: Db, config: MailSettings): Promise<boolean> {
  const events = await takeDueEvents(db);
  if (events.length === 0) return false;
  const decided = events.map((event) => ({ event, outcome: outcomeOf(event) }));
  const allowed = decided.filter(({ outcome }) => outcome === 'sent' || outcome === 'no_channel');
  await list(
    db,
    allowed.flatMap(({ event }) => (event.isListed ? [] : [event])),
  );
  await queueMail(
    db,
    allowed.flatMap(({ event }) => (event.emailEnabled ? [mailOf(event, config)] : [])),
  );
  await queuePushes(
    db,
    allowed.flatMap(({ event }) => (event.hasPush ? [pushOf(event)] : [])),
  );
  await recordOutcomes(
    db,
    decided.map(({ event, outcome }) => ({ id: event.id, outcome })),
  );
  return events.length === batchSize;
}

async function takeDueEvents(db: Db): Promise<DueEvent[]> {
  const at = now();
  const { rows } = await sql<DueEvent>`
    select event.id, event.kind, event.user_id, event.facts, event.event_key, profile.email, profile.first_name,
      profile.deleted_at is not null as is_gone,
      exists (select from notices where notices.event_id = event.id) as is_listed,
      coalesce((to_jsonb(preferences) ->> event.category)::boolean, true) as is_wanted,
      ${isNeeded(at)} as is_needed,
      coalesce(preferences.email_enabled, true) as email_enabled,
      coalesce(preferences.push_enabled, true) and exists (
        select from push_subscriptions where push_subscriptions.user_id = event.user_id) as has_push
    from notice_events event
    join profiles profile on profile.id = event.user_id
    left join notification_preferences preferences on preferences.user_id = event.user_id
    where event.decided_at is null and event.due_at <= ${at}::timestamptz
    order by event.due_at, event.id
    limit ${batchSize}
    for update of event skip locked`.execute(db);
  return rows;
}

/** Nobody is told of a message that they have read, nor reminded of what is done, cancelled, moved or over. */
function isNeeded(at: Date): RawBuilder<boolean> {
  return sql<boolean>`case
    when event.kind = 'message' then
      not exists (select from coach_messages where coach_messages.id = event.subject_id and is_read)
    when event.kind like '%\\_reminder' then exists (
      select from (${dueReminders(at)}) as reminder
      where reminder.user_id = event.user_id and reminder.subject_id = event.subject_id
        and reminder.event_key = event.event_key)
    else true end`;
}

function outcomeOf({ isGone, isNeeded, isWanted, emailEnabled, hasPush }: DueEvent): Outcome {
  if (isGone) return 'person_deleted';
  if (!isNeeded) return 'no_longer_needed';
  if (!isWanted) return 'switched_off';
  return emailEnabled || hasPush ? 'sent' : 'no_channel';
}

/** Reminders come into the list behind the bell now; what somebody did is there since. */
async function list(db: Db, events: DueEvent[]): Promise<void> {
  if (events.length === 0) return;
  await db
    .insertInto('notices')
    .values(
      events.map(({ id, userId, kind, facts: { title, message, link } }) => ({
        userId,
        kind,
        title,
        message,
        link,
        eventId: id,
      })),
    )
    .execute();
  await tellBrowsers(
    db,
    events.map(({ userId }) => userId),
    { endpoints: [listNotices, readSession] },
  );
}

function mailOf({ id, kind, userId, email, firstName, facts, eventKey }: DueEvent, config: MailSettings): Mail {
  const { title, message, link, calendarInvitation } = facts;
  const { publicUrl } = config;
  const content = {
    greeting: `Hello ${firstName},`,
    paragraphs: [message],
    action: { label: 'Open in Switchyard', url: `${publicUrl}${link ?? '/dashboard'}` },
    footer: {
      text: 'You choose what you are told in your notification preferences:',
      url: `${publicUrl}/preferences/notifications`,
    },
  };
  return {
    kind,
    recipientId: userId,
    address: email,
    subject: title,
    eventKey,
    eventId: id,
    ...mailTemplate(content),
    ...(calendarInvitation ? { calendar: calendarOf(calendarInvitation, config) } : {}),
  };
}

function calendarOf({ item, attendees }: NonNullable<NoticeFacts['calendarInvitation']>, config: MailSettings) {
  const calendarInvitation: CalendarInvitation = { item: { ...item, changedAt: new Date(item.changedAt) }, attendees };
  return {
    method: calendarInvitationMethod(calendarInvitation),
    text: calendarInvitationText(calendarInvitation, config),
  };
}

function pushOf({ id, eventKey, kind, userId, facts }: DueEvent): Push {
  return { eventId: id, eventKey, kind, recipientId: userId, title: facts.title, message: facts.message };
}

async function recordOutcomes(db: Db, outcomes: { id: string; outcome: Outcome }[]): Promise<void> {
  await sql`
    update notice_events set decided_at = now(), outcome = given.outcome
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as given (id uuid, outcome text)
    where notice_events.id = given.id`.execute(db);
}
