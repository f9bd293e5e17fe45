import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import {
  type CalendarInvitation,
  calendarInvitationMethod,
  calendarInvitationText,
} from '#server/platform/calendar-text.ts';
import { now } from '#server/platform/clock.ts';
import { showNotice } from '#server/platform/live.ts';
import { mailTemplate } from '#server/platform/mail-template.ts';
import { type Mail, queueMail } from '#server/platform/mailer.ts';
import type { NoticeFacts } from '#server/platform/notices.ts';
import { type Push, queuePushes } from '#server/platform/push-queue.ts';
import { queueSms, type Sms } from '#server/platform/sms-queue.ts';
import { changed } from '#server/platform/telling.ts';
import { isInCalendar, isNeeded, isWanted } from './event-state-queries.ts';

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
  /** An earlier mail brought it into the calendar. */
  isInCalendar: boolean;
  emailEnabled: boolean;
  /** Push is switched on, and at least one browser takes it. */
  hasPush: boolean;
  /** SMS is switched on, the person has a phone number, and the server sends SMS. */
  hasSms: boolean;
  phone: string | null;
}

type ChannelSettings = Pick<Config, 'publicUrl' | 'mailFrom' | 'sms'>;

/** Every value but `sent` is the reason why nothing left the product. */
type Outcome = 'sent' | 'person_deleted' | 'no_longer_needed' | 'switched_off' | 'no_channel';

const batchSize = 200;
/** Limits the text before the address, because a text message of several parts costs several. */
const longestSms = 240;

/**
 * Decides about the events that are due, by preferences and the state of things now, in the caller's transaction
 * (PREF-13). If two processes run at once, each takes other events. Returns whether more may wait.
 */
export async function decideBatch(db: Db, config: ChannelSettings): Promise<boolean> {
  const { publicUrl, sms } = config;
  const events = await takeDueEvents(db, sms !== null);
  if (events.length === 0) return false;
  const decided = events.map((event) => ({ event, outcome: outcomeOf(event) }));
  const allowed = decided.filter(({ outcome }) => outcome === 'sent' || outcome === 'no_channel');
  await list(
    db,
    decided.flatMap(({ event, outcome }) => (isToBeListed(event, outcome) ? [event] : [])),
  );
  await queueMail(
    db,
    allowed.flatMap(({ event }) => (isMailed(event) ? [mailOf(event, config)] : [])),
  );
  await queuePushes(
    db,
    allowed.flatMap(({ event }) => (event.isWanted && event.hasPush ? [pushOf(event)] : [])),
  );
  await queueSms(
    db,
    allowed.flatMap(({ event }) => (event.isWanted && event.hasSms ? [smsOf(event, publicUrl)] : [])),
  );
  await recordOutcomes(
    db,
    decided.map(({ event, outcome }) => ({ id: event.id, outcome })),
  );
  return events.length === batchSize;
}

async function takeDueEvents(db: Db, isSmsSetUp: boolean): Promise<DueEvent[]> {
  const at = now();
  const { rows } = await sql<DueEvent>`
    select event.id, event.kind, event.user_id, event.facts, event.event_key, profile.email, profile.first_name, profile.phone,
      profile.deleted_at is not null as is_gone,
      exists (select from notices where notices.event_id = event.id) as is_listed,
      ${isWanted} as is_wanted,
      ${isNeeded(at)} as is_needed,
      ${isInCalendar} as is_in_calendar,
      coalesce(preferences.email_enabled, true) as email_enabled,
      coalesce(preferences.push_enabled, true) and exists (
        select from push_subscriptions where push_subscriptions.user_id = event.user_id) as has_push,
      ${isSmsSetUp} and coalesce(preferences.sms_enabled, false) and profile.phone_confirmed_at is not null as has_sms
    from notice_events event
    join profiles profile on profile.id = event.user_id
    left join notification_preferences preferences on preferences.user_id = event.user_id
    where event.decided_at is null and event.due_at <= ${at}::timestamptz
    order by event.due_at, event.id
    limit ${batchSize}
    for update of event skip locked`.execute(db);
  return rows;
}

function outcomeOf(event: DueEvent): Outcome {
  if (event.isGone) return 'person_deleted';
  if (!event.isNeeded) return 'no_longer_needed';
  if (isMailed(event)) return 'sent';
  if (!event.isWanted) return 'switched_off';
  return event.hasPush || event.hasSms ? 'sent' : 'no_channel';
}

function isMailed({ isWanted, emailEnabled, isInCalendar }: DueEvent): boolean {
  return isInCalendar || (isWanted && emailEnabled);
}

/** An event that somebody caused is listed behind the bell even if its category is switched off. A reminder is not. */
function isToBeListed({ isListed, kind }: DueEvent, outcome: Outcome): boolean {
  if (isListed) return false;
  if (outcome === 'switched_off') return !kind.endsWith('_reminder');
  return outcome === 'sent' || outcome === 'no_channel';
}

/** Adds reminders, and what was to be told later, to the list behind the bell. */
async function list(db: Db, events: DueEvent[]): Promise<void> {
  if (events.length === 0) return;
  const each = <Value>(part: (event: DueEvent) => Value) => events.map(part);
  await sql`
    insert into notices (event_id, user_id, kind, title, message, link)
    select * from unnest(${each(({ id }) => id)}::uuid[], ${each(({ userId }) => userId)}::uuid[],
      ${each(({ kind }) => kind)}::text[], ${each(({ facts }) => facts.title)}::text[],
      ${each(({ facts }) => facts.message)}::text[], ${each(({ facts }) => facts.link)}::text[])`.execute(db);
  await changed(
    db,
    'notices',
    events.map(({ userId }) => userId),
  );
  for (const { userId, facts } of events) {
    if (facts.isToast) await showNotice(db, [userId], { type: 'info', title: facts.title, message: facts.message });
  }
}

function mailOf({ id, kind, userId, email, firstName, facts, eventKey }: DueEvent, config: ChannelSettings): Mail {
  const { title, message, link, calendarInvitation } = facts;
  const { publicUrl } = config;
  const content = {
    greeting: `Hello ${firstName},`,
    paragraphs: [message],
    action: { label: 'Open in Switchyard', url: `${publicUrl}${link ?? '/dashboard'}` },
    footer: {
      text: 'Choose what we tell you in your notification preferences:',
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

function calendarOf({ item, attendees }: NonNullable<NoticeFacts['calendarInvitation']>, config: ChannelSettings) {
  const calendarInvitation: CalendarInvitation = { item: { ...item, changedAt: new Date(item.changedAt) }, attendees };
  return {
    method: calendarInvitationMethod(calendarInvitation),
    text: calendarInvitationText(calendarInvitation, config),
  };
}

function pushOf({ id, eventKey, kind, userId, facts }: DueEvent): Push {
  return { eventId: id, eventKey, kind, recipientId: userId, title: facts.title, message: facts.message };
}

function smsOf({ id, eventKey, kind, userId, phone, facts }: DueEvent, publicUrl: string): Sms {
  const { title, message, link } = facts;
  const words = `Switchyard: ${title}. ${message}`;
  const letters = [...words];
  const shown = letters.length > longestSms ? `${letters.slice(0, longestSms).join('').trimEnd()}…` : words;
  const text = `${shown} ${publicUrl}${link ?? '/dashboard'}`;
  return { eventId: id, eventKey, kind, recipientId: userId, phone: phone ?? '', subject: title, text };
}

async function recordOutcomes(db: Db, outcomes: { id: string; outcome: Outcome }[]): Promise<void> {
  await sql`
    update notice_events set decided_at = now(), outcome = given.outcome
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as given (id uuid, outcome text)
    where notice_events.id = given.id`.execute(db);
}
