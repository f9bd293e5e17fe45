import { type RawBuilder, sql } from 'kysely';
import { escapeHtml } from '#server/platform/mail-template.ts';

interface Person {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
}

const forgottenName = 'Deleted user';
/** Some notices cut a name at this length. */
const longestName = 60;

/**
 * What others were told of a deleted person keeps neither name nor address. This covers notices behind the bell,
 * events, and mails that were sent or wait. What is sent, and when, stays as it is (decision 37).
 */
export function forgetInNews(person: Person): RawBuilder<unknown>[] {
  const about = sql`(select event.id from notice_events event where event.user_id <> ${person.id} and ${isAbout(person)})`;
  const words = (column: string) =>
    replaced(
      sql.ref(column),
      namesIn(person, (name) => [name]),
    );
  const html = replaced(
    sql.ref('html_body'),
    namesIn(person, (name) => [escapeHtml(name)]),
  );
  // A calendar file folds long lines, even within a name.
  const unfolded = sql`regexp_replace(calendar_text, ${'\r?\n[ \t]'}, '', 'g')`;
  return [
    sql`update notices set title = ${words('title')}, message = ${words('message')} where event_id in ${about}`,
    sql`update notice_events set facts = (${replaced(sql`facts::text`, inJson(person))})::jsonb where id in ${about}`,
    sql`update deliveries set subject = ${words('subject')}, text_body = ${words('text_body')}, html_body = ${html},
      calendar_text = ${replaced(unfolded, inCalendar(person))}
      where event_id in ${about}`,
  ];
}

/**
 * Expects a row `event`. Its key names its subject, including a session that another coach has by now. The keys for
 * changes of coaches and approvers do not. So these match by name, unless somebody else has the same name.
 */
function isAbout({ id, firstName, lastName }: Person): RawBuilder<boolean> {
  const name = `${firstName} ${lastName}`;
  return sql<boolean>`(split_part(event.event_key, ':', 2) in (
      select message.id::text from coach_messages message where message.sender_id = ${id}
      union all
      select session.id::text from coaching_sessions session where ${id} in (session.coach_id, session.participant_id)
      union all
      select own.subject_id::text from notice_events own where own.user_id = ${id} and own.kind = 'coaching_session'
      union all
      select submission.id::text from content_submissions submission where submission.user_id = ${id}
      union all
      select correction.id::text from attendance_corrections correction
        where ${id} in (correction.participant_id, correction.answered_by)
      union all
      select question.id::text from stipend_questions question
        where ${id} in (question.participant_id, question.answered_by))
    or (event.kind in ('coach_assignment', 'second_approver')
      and strpos(concat(' ', event.facts ->> 'title', ' ', event.facts ->> 'message', ' '), ${` ${name} `}) > 0
      and not exists (select from profiles other
        where other.id <> ${id} and other.full_name = ${name})))`;
}

type Replacement = readonly [from: string, to: string];

function replaced(column: RawBuilder<unknown>, replacements: Replacement[]): RawBuilder<unknown> {
  return replacements.reduce((text, [from, to]) => sql`replace(${text}, ${from}, ${to})`, column);
}

/** `written` returns the ways in which a name is written there. */
function namesIn({ firstName, lastName }: Person, written: (name: string) => string[]): Replacement[] {
  const name = `${firstName} ${lastName}`;
  const forms = [name, name.slice(0, longestName)].flatMap(written);
  return [...new Set(forms)].map((form) => [form, forgottenName]);
}

/** Only a whole address is replaced, because it may be the end of another one. */
function inJson(person: Person): Replacement[] {
  const names = namesIn(person, (name) => [JSON.stringify(name).slice(1, -1)]);
  return [[JSON.stringify(person.email), JSON.stringify(forgottenAddress(person))], ...names];
}

/** A name as a value and as a parameter (calendar-text.ts). */
function inCalendar(person: Person): Replacement[] {
  const names = namesIn(person, (name) => [name.replace(/[\\;,]/g, '\\$&'), name.replaceAll('"', "'")]);
  return [[`mailto:${encodeURI(person.email)}\r\n`, `mailto:${forgottenAddress(person)}\r\n`], ...names];
}

function forgottenAddress({ id }: Person): string {
  return `deleted-${id}@deleted.invalid`;
}
