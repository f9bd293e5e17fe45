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
  await sql`
    insert into notices (user_id, kind, title, message, link)
    select user_id, kind, title, message, link from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as given (user_id uuid, kind text, title text, message text, link text)`.execute(db);
  const readers = new Map((await readReaders(db, notices)).map((reader) => [reader.id, reader]));
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

/** Without a row of preferences the defaults hold: everything by mail is on. */
function readReaders(db: Db, notices: Notice[]) {
  const isOn = (column: string) => sql<boolean>`coalesce(${sql.ref(`preferences.${column}`)}, true)`;
  return db
    .selectFrom('profiles')
    .leftJoin('notificationPreferences as preferences', 'preferences.userId', 'profiles.id')
    .select([
      'profiles.id',
      'profiles.email',
      'profiles.firstName',
      isOn('emailEnabled').as('emailEnabled'),
      isOn('assignmentReminders').as('assignmentReminders'),
      isOn('deadlineAlerts').as('deadlineAlerts'),
      isOn('performanceFeedback').as('performanceFeedback'),
      isOn('stipendUpdates').as('stipendUpdates'),
      isOn('coachMessages').as('coachMessages'),
    ])
    .where('profiles.id', '=', sql<string>`any(${[...new Set(notices.map(({ userId }) => userId))]}::uuid[])`)
    .where('profiles.deletedAt', 'is', null)
    .execute();
}
