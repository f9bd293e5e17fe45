import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { mailTemplate } from '#server/platform/mail-template.ts';
import { queueMail } from '#server/platform/mailer.ts';

/** Which of the person's preferences decides about the mail. */
type Preference = 'assignmentReminders' | 'deadlineAlerts' | 'performanceFeedback' | 'stipendUpdates' | 'coachMessages';

export interface Notice {
  userId: string;
  /** What it is about, as `review` or `stipend`. */
  kind: string;
  title: string;
  message: string;
  /** A path of ours. */
  link: string | null;
  preference: Preference;
  /** Identity of the event: the same one is never mailed twice. */
  eventKey: string;
}

/** Tells people inside the product, and by mail where their preferences allow it; sets of any size in a few statements. */
export async function notify(db: Db, notices: Notice[]): Promise<void> {
  if (notices.length === 0) return;
  const given = notices.map(({ userId, kind, title, message, link }) => ({
    user_id: userId,
    kind,
    title,
    message,
    link,
  }));
  const readers = new Map((await insertNotices(db, given)).map((reader) => [reader.id, reader]));
  await queueMail(
    db,
    notices.flatMap((notice) => {
      const reader = readers.get(notice.userId);
      if (!reader?.emailEnabled || !reader[notice.preference]) return [];
      const content = {
        greeting: `Hello ${reader.firstName},`,
        paragraphs: [notice.message, 'Sign in to Switchyard to see more.'],
      };
      const { kind, title, eventKey, userId } = notice;
      return { kind, recipientId: userId, address: reader.email, subject: title, eventKey, ...mailTemplate(content) };
    }),
  );
}

type Reader = Record<Preference | 'emailEnabled', boolean> & { id: string; email: string; firstName: string };

/** Answers those who were told. Without a row of preferences the defaults hold: everything by mail is on. */
async function insertNotices(db: Db, given: object[]): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    with told as (
      insert into notices (user_id, kind, title, message, link)
      select user_id, kind, title, message, link from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (user_id uuid, kind text, title text, message text, link text)
      returning user_id
    )
    select profiles.id, profiles.email, profiles.first_name,
      coalesce(preferences.email_enabled, true) as email_enabled,
      coalesce(preferences.assignment_reminders, true) as assignment_reminders,
      coalesce(preferences.deadline_alerts, true) as deadline_alerts,
      coalesce(preferences.performance_feedback, true) as performance_feedback,
      coalesce(preferences.stipend_updates, true) as stipend_updates,
      coalesce(preferences.coach_messages, true) as coach_messages
    from profiles
    left join notification_preferences preferences on preferences.user_id = profiles.id
    where profiles.id in (select user_id from told) and profiles.deleted_at is null`.execute(db);
  return rows;
}
