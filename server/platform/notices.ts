import { sql } from 'kysely';
import { z } from 'zod';
import type { NoticeCategory } from '#contract/notices.ts';
import type { Db } from '#server/db/database.ts';
import type { CalendarInvitation, CalendarItem } from '#server/platform/calendar-text.ts';
import { now } from '#server/platform/clock.ts';
import { defineQueue, enqueue } from '#server/platform/jobs.ts';
import { changed } from '#server/platform/telling.ts';

export interface Notice {
  userId: string;
  /** The subject, such as `review` or `stipend`. */
  kind: string;
  title: string;
  message: string;
  /** A path of the product. */
  link: string | null;
  preference: NoticeCategory;
  /** The event's identity. If two have the same one, only the first is told. */
  eventKey: string;
  /** If several unread ones have the same matter, the bell shows the last. */
  matter?: string;
  /** The decision looks at this when it is due: the message, or the coaching session. */
  subjectId?: string;
  /** A mail about it brings this into the reader's calendar, as it stands in this transaction. */
  calendarInvitation?: CalendarInvitation;
  /** The review of the subject that it tells of, by its instant. Nobody is told of one that stands no more. */
  reviewedAt?: string;
  /** Open browsers show it as a toast when it is told. */
  isToast?: true;
}

/** The part of an event on which its decision rests. */
export interface NoticeFacts {
  title: string;
  message: string;
  link: string | null;
  reviewedAt?: string;
  isToast?: true;
  /** JSON holds no dates. */
  calendarInvitation?: Omit<CalendarInvitation, 'item'> & {
    item: Omit<CalendarItem, 'changedAt'> & { changedAt: string };
  };
}

/** The job decides which channels an event leaves the product by. features/notices does it. */
export const decideNoticesQueue = defineQueue('decide-notices', z.object({}));

/** The names of the categories' columns in the preferences. */
export const categoryColumns: Record<NoticeCategory, string> = {
  assignmentReminders: 'assignment_reminders',
  deadlineAlerts: 'deadline_alerts',
  performanceFeedback: 'performance_feedback',
  stipendUpdates: 'stipend_updates',
  coachMessages: 'coach_messages',
};

/**
 * What a person saw elsewhere in the product is no news behind the bell. Marks the notices of these subjects as read,
 * in every browser of the person. Returns how many there were.
 */
export async function markSubjectsSeen(db: Db, userId: string, kind: string, subjectIds: string[]): Promise<number> {
  const seen = await sql`
    update notices set read_at = ${now()}
    from notice_events event
    where event.id = notices.event_id and notices.user_id = ${userId} and notices.read_at is null
      and event.kind = ${kind} and event.subject_id = any(${subjectIds})
    returning notices.id`.execute(db);
  if (seen.rows.length > 0) await changed(db, 'notices', [userId]);
  return seen.rows.length;
}

/** Records a notice that is told when it is due, also inside the product, if it still matters then. */
export async function notifyLater(db: Db, { preference, ...notice }: Notice, dueAt: Date): Promise<void> {
  const { userId, kind, title, message, link, eventKey, subjectId = null, reviewedAt, isToast } = notice;
  await db
    .insertInto('noticeEvents')
    .values({
      userId,
      kind,
      category: categoryColumns[preference],
      subjectId,
      facts: JSON.stringify({ title, message, link, reviewedAt, isToast }),
      eventKey,
      dueAt,
    })
    .onConflict((conflict) => conflict.column('eventKey').doNothing())
    .execute();
  await enqueue(db, decideNoticesQueue, {}, { startAfter: dueAt });
}

/**
 * Tells people inside the product at once. Also records what happened, so that a job decides about mail and the other
 * channels. Sets of any size take two statements. Deleted people are told nothing.
 */
export async function notify(db: Db, notices: Notice[]): Promise<void> {
  if (notices.length === 0) return;
  const given = notices.map(
    ({ userId, kind, title, message, link, preference, eventKey, subjectId, matter, calendarInvitation }, place) => ({
      user_id: userId,
      kind,
      category: categoryColumns[preference],
      subject_id: subjectId ?? null,
      facts: { title, message, link, calendarInvitation },
      event_key: eventKey,
      matter: matter ?? null,
      place,
    }),
  );
  const told = await sql<{ userId: string }>`
    with recorded as (
      insert into notice_events (user_id, kind, category, subject_id, facts, event_key, due_at)
      select given.user_id, kind, category, subject_id, facts, event_key, least(now(), ${now()}::timestamptz)
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given
        (user_id uuid, kind text, category text, subject_id uuid, facts jsonb, event_key text)
      join profiles on profiles.id = given.user_id and profiles.deleted_at is null
      on conflict (event_key) do nothing
      returning id, user_id, kind, facts, event_key
    ), named as materialized (
      select recorded.*, matter, place, time_ordered_id() as notice_id
      from recorded
      join jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (event_key text, matter text, place integer)
        using (event_key)
    ), listed as (
      insert into notices (id, user_id, kind, title, message, link, event_id, matter, replaced_by)
      select notice_id, user_id, kind, facts ->> 'title', facts ->> 'message', facts ->> 'link', id, matter,
        nullif(first_value(notice_id) over (
          partition by user_id, coalesce(matter, notice_id::text) order by place desc), notice_id)
      from named
      returning id, user_id, matter, replaced_by
    ), earlier as materialized (
      select notices.id, listed.id as newest_id
      from listed join notices on notices.user_id = listed.user_id and notices.matter = listed.matter
      where notices.read_at is null and listed.replaced_by is null
      order by notices.id
      for update of notices
    ), replaced as (
      update notices set replaced_by = newest_id from earlier where notices.id = earlier.id
    )
    select user_id from listed`.execute(db);
  if (told.rows.length === 0) return;
  await enqueue(db, decideNoticesQueue, {});
  await changed(
    db,
    'notices',
    told.rows.map(({ userId }) => userId),
  );
}
