import { type RawBuilder, sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Happened, HistoryPart, listPersonHistory } from '#contract/people.ts';
import type { Db } from '#server/db/database.ts';
import { periodFirstDay } from '#server/features/stipends/week-facts-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { byInstant, byText, descending, exactly, pagesBy } from '#server/platform/pages.ts';
import { loadPerson } from './person-access.ts';

const pages = pagesBy(30, [descending(byInstant(sql`line.at`)), descending(byText(sql`line.key`))]);

interface Line {
  key: string;
  at: string;
  happened: Happened;
}

/**
 * A history is read from the records themselves, so it says what they say now. Each kind of record gives a page of its
 * own from its index, and one statement puts these together.
 */
export async function findPersonHistory(
  db: Db,
  actor: Actor,
  id: string,
  { part, cursor }: ParsedInputOf<typeof listPersonHistory>['query'],
) {
  await loadPerson(db, actor, id);
  const wanted = part ? recordsOf(id)[part] : Object.values(recordsOf(id)).flat();
  const pageOfEach = wanted.map(
    (records) => sql`(
      select line.* from (${records}) line where ${pages.comesAfter(cursor)} order by ${pages.inOrder} limit ${pages.most})`,
  );
  const found = await sql<Line>`
    select line.key, ${exactly(sql`line.at`)} as at, line.happened from (${sql.join(pageOfEach, sql` union all `)}) line
    order by ${pages.inOrder} limit ${pages.most}`.execute(db);
  return pages.cut(found.rows, ({ at, key }) => [at, key]);
}

/** Each selects `at`, `key` and `happened` of one kind of record. */
function recordsOf(id: string): Record<HistoryPart, RawBuilder<unknown>[]> {
  return {
    learning: [attended(id), handedIn(id), reviewed(id), modulesCompleted(id)],
    coaching: [sessions(id), rated(id)],
    pay: [payOf(id)],
    notices: [noticesOf(id)],
    account: [accountMade(id), invited(id), invitationsAccepted(id), joined(id), left(id)],
  };
}

/** The name of a person in a column, or null. */
function nameOf(column: string) {
  return sql`(select full_name from profiles named where named.id = ${sql.ref(column)})`;
}

function attended(id: string) {
  return sql`
    select accessed_at as at, 'attended ' || attendance.id as key, jsonb_build_object('kind', 'attended',
      'activity', jsonb_build_object('id', activity.id, 'title', activity.title),
      'recordedBy', ${nameOf('attendance.recordedBy')}) as happened
    from attendance_records attendance join training_activities activity on activity.id = attendance.content_id
    where attendance.fellow_id = ${id}`;
}

function handedIn(id: string) {
  return sql`
    select round.submitted_at as at, 'handed in ' || submission.id || ' ' || round.round_number as key,
      jsonb_build_object('kind', 'handed_in', 'submissionId', submission.id, 'round', round.round_number,
        'assignment', jsonb_build_object('id', assignment.id, 'title', assignment.title)) as happened
    from content_submissions submission join submission_rounds round on round.submission_id = submission.id
    join content_assignments assignment on assignment.id = submission.assignment_id
    where submission.user_id = ${id}`;
}

function reviewed(id: string) {
  return sql`
    select round.reviewed_at as at, 'reviewed ' || submission.id || ' ' || round.round_number as key,
      jsonb_build_object('kind', 'reviewed', 'submissionId', submission.id, 'status', round.review_status,
        'assignment', jsonb_build_object('id', assignment.id, 'title', assignment.title),
        'reviewedBy', ${nameOf('round.reviewedBy')}) as happened
    from content_submissions submission join submission_rounds round on round.submission_id = submission.id
    join content_assignments assignment on assignment.id = submission.assignment_id
    where submission.user_id = ${id} and round.reviewed_at is not null`;
}

function modulesCompleted(id: string) {
  return sql`
    select completed_at as at, 'module ' || completion.cohort_id || ' ' || module.id as key, jsonb_build_object(
      'kind', 'module_completed', 'module', module.title, 'setBy', ${nameOf('completion.setBy')}) as happened
    from participant_module_completions completion join course_modules module on module.id = completion.module_id
    where completion.participant_id = ${id}`;
}

/** A session that is to come has not happened yet. */
function sessions(id: string) {
  return sql`
    select scheduled_at as at, 'session ' || session.id as key, jsonb_build_object('kind', 'session',
      'status', session.status, 'coach', ${nameOf('session.coachId')}) as happened
    from coaching_sessions session where session.participant_id = ${id} and scheduled_at <= ${now()}::timestamptz`;
}

function rated(id: string) {
  return sql`
    select updated_at as at, 'rated ' || rating.id as key, jsonb_build_object('kind', 'rated',
      ${periodOf(sql`rating.week_number`)}, 'rating', overall_rating, 'ratedBy', ${nameOf('rating.ratedBy')}) as happened
    from performance_feedback rating join cohort_calendars calendar on calendar.id = rating.cohort_id
    where rating.fellow_id = ${id}`;
}

/** The keys of the time that the nth stipend of a cohort pays for. Expects a row of `cohort_calendars`. */
function periodOf(number: RawBuilder<unknown>) {
  return sql`'weekNumber', ${number}, 'payPeriod', calendar.pay_period, 'firstDay', ${periodFirstDay(number)}`;
}

/** What the person sees of their pay too. */
function payOf(id: string) {
  return sql`
    select line.at, 'pay ' || lpad(line.position::text, 20, '0') as key, jsonb_build_object(
      ${periodOf(sql`stipend.week_number`)},
      'kind', case line.kind when 'approval' then 'approved' when 'denial' then 'denied' when 'payment' then 'paid'
        when 'reversal' then 'payment_taken_back' else 'amount_changed' end,
      'amountCents', case when line.kind in ('payment', 'reversal') then abs(line.paid_cents)
        else (line.after ->> 'amountCents')::integer end,
      'reason', case line.kind when 'denial' then line.reason end) as happened
    from stipend_ledger line join stipend_eligibility stipend on stipend.id = line.stipend_id
    join cohort_calendars calendar on calendar.id = stipend.cohort_id
    where line.fellow_id = ${id} and line.kind in ('approval', 'denial', 'amount', 'adjustment', 'payment', 'reversal')`;
}

/** A notice whose place a later one took is told by that one. */
function noticesOf(id: string) {
  return sql`
    select notice.created_at as at, 'notice ' || notice.id as key, jsonb_build_object('kind', 'notice',
      'title', notice.title, 'readAt', utc_text(notice.read_at), 'isBounced', exists (
        select from deliveries where event_id = notice.event_id and status = 'given_up')) as happened
    from notices notice where notice.user_id = ${id} and notice.replaced_by is null`;
}

function accountMade(id: string) {
  return sql`
    select created_at as at, 'account' as key, jsonb_build_object('kind', 'account_made') as happened
    from profiles where id = ${id}`;
}

function invited(id: string) {
  return sql`
    select sent_at as at, 'invited ' || id as key, jsonb_build_object('kind', 'invited') as happened
    from invitations where user_id = ${id}`;
}

function invitationsAccepted(id: string) {
  return sql`
    select accepted_at as at, 'accepted ' || id as key, jsonb_build_object('kind', 'invitation_accepted') as happened
    from invitations where user_id = ${id} and accepted_at is not null`;
}

function joined(id: string) {
  return sql`
    select enrolled_at as at, 'joined ' || cohort_id as key, jsonb_build_object('kind', 'joined', 'cohort', name) as happened
    from cohort_participants membership join cohorts on cohorts.id = membership.cohort_id
    where membership.participant_id = ${id}`;
}

function left(id: string) {
  return sql`
    select ended_at as at, 'left ' || cohort_id as key, jsonb_build_object('kind', 'left', 'cohort', name,
      'hasCompleted', membership.status = 'completed') as happened
    from cohort_participants membership join cohorts on cohorts.id = membership.cohort_id
    where membership.participant_id = ${id} and membership.ended_at is not null`;
}
