import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgedWeek } from '#test/factories/stipends.ts';
import { buildCohort, enrol } from './factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from './factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from './factories/people.ts';
import { openSchema, type Schema, violations, words } from './support/schema.ts';

let schema: Schema;
beforeAll(async () => {
  schema = await openSchema();
});
afterAll(() => schema.leave());

test('DATA-12 DATA-13 DATA1-08 content_submissions: one row per assignment and user, reviewed only with reviewer and time', async () => {
  expect(await schema.columnsOf('content_submissions')).toEqual(
    expect.arrayContaining(
      words('id assignment_id user_id submission_text file_path status feedback reviewed_by reviewed_at submitted_at'),
    ),
  );
  const person = await buildParticipant(schema.db);
  const assignment = await buildAssignment(schema.db, { contentItemId: (await someItem()).id });
  const insert = `insert into content_submissions (assignment_id, user_id, submission_text) values ('${assignment.id}', '${person.id}', 'Text')`;
  await schema.run(insert);
  expect(await schema.refusal(insert)).toBe(violations.unique);
  expect(
    await schema.refusal(`update content_submissions set status = 'accepted' where user_id = '${person.id}'`),
  ).toBe(violations.check);
  expect(
    await schema.refusal(`update content_submissions set submission_text = null where user_id = '${person.id}'`),
  ).toBe(violations.check);
});

test('DATA-14 content_evaluations: one a submission, with points, feedback and time', async () => {
  expect(await schema.columnsOf('content_evaluations')).toEqual(
    expect.arrayContaining(words('submission_id points_earned feedback graded_at')),
  );
  expect(
    await schema.refusal(`insert into content_evaluations (submission_id) values ('${await schema.newId()}')`),
  ).toBe(violations.foreignKey);
  const person = await buildParticipant(schema.db);
  const assignment = await buildAssignment(schema.db, { contentItemId: (await someItem()).id });
  const submission = await schema.one(
    `insert into content_submissions (assignment_id, user_id, submission_text) values ('${assignment.id}', '${person.id}', 'Text') returning id`,
  );
  const insert = `insert into content_evaluations (submission_id, points_earned, feedback) values ('${submission.id}', 87.5, 'Well done')`;
  await schema.run(insert);
  expect(
    await schema.one(
      `select points_earned::text, feedback, graded_at from content_evaluations where submission_id = '${submission.id}'`,
    ),
  ).toEqual({ points_earned: '87.50', feedback: 'Well done', graded_at: expect.any(Date) });
  expect(await schema.refusal(insert)).toBe(violations.unique);
  const change = (facts: string) =>
    schema.refusal(`update content_evaluations set ${facts} where submission_id = '${submission.id}'`);
  expect(await change('points_earned = -1')).toBe(violations.check);
  expect(await change('graded_at = null')).toBe(violations.notNull);
});

test('DATA-15 DATA1-22 attendance_records: once per fellow and activity, and by somebody else only with a reason', async () => {
  expect(await schema.columnsOf('attendance_records')).toEqual(
    expect.arrayContaining(
      words('fellow_id cohort_id content_id week_number content_type duration_minutes accessed_at'),
    ),
  );
  const cohort = await buildCohort(schema.db);
  const person = await buildParticipant(schema.db);
  const coach = await buildCoach(schema.db);
  const activity = await buildActivity(schema.db, { cohortId: cohort.id });
  const insert = `insert into attendance_records (fellow_id, cohort_id, content_id, week_number) values ('${person.id}', '${cohort.id}', '${activity.id}', 1)`;
  await schema.run(insert);
  expect(
    await schema.one(`select content_type, duration_minutes from attendance_records where fellow_id = '${person.id}'`),
  ).toEqual({
    content_type: 'live_session',
    duration_minutes: 60,
  });
  expect(await schema.refusal(insert)).toBe(violations.unique);
  expect(
    await schema.refusal(`update attendance_records set recorded_by = '${coach.id}' where fellow_id = '${person.id}'`),
  ).toBe(violations.check);
});

test('DATA-18 DATA-19 DATA-20 completions, track selections and progress: one row per person and cohort (and module)', async () => {
  expect(await schema.columnsOf('participant_module_completions')).toEqual(
    expect.arrayContaining(words('participant_id cohort_id module_id')),
  );
  expect(await schema.columnsOf('track_selections')).toEqual(
    expect.arrayContaining(
      words('id participant_id cohort_id specialization_track_id notes selected_at is_locked locked_at'),
    ),
  );
  expect(await schema.columnsOf('participant_progress')).toEqual(
    expect.arrayContaining(
      words(`participant_id cohort_id total_modules completed_modules core_modules_completed specialization_modules_completed
        overall_completion_percentage days_ahead_behind status last_activity_date`),
    ),
  );
  const cohort = await buildCohort(schema.db);
  const person = await buildParticipant(schema.db);
  const module = await schema.one(
    "insert into course_modules (title, module_type) values ('Once', 'core') returning id",
  );
  const track = await schema.one("insert into specialization_tracks (name) values ('Once') returning id");
  const pair = `'${person.id}', '${cohort.id}'`;
  for (const insert of [
    `insert into participant_module_completions (participant_id, cohort_id, module_id) values (${pair}, '${module.id}')`,
    `insert into track_selections (participant_id, cohort_id, specialization_track_id) values (${pair}, '${track.id}')`,
    `insert into participant_progress (participant_id, cohort_id) values (${pair})`,
  ]) {
    await schema.run(insert);
    expect(await schema.refusal(insert)).toBe(violations.unique);
  }
  expect(
    await schema.refusal(`update track_selections set is_locked = true where participant_id = '${person.id}'`),
  ).toBe(violations.check);
  const ofPerson = `where participant_id = '${person.id}'`;
  for (const status of ['on_track', 'behind', 'at_risk', 'ahead']) {
    await schema.run(`update participant_progress set status = '${status}' ${ofPerson}`);
    expect(await schema.one(`select status from participant_progress ${ofPerson}`)).toEqual({ status });
  }
  expect(await schema.refusal(`update participant_progress set status = 'late' ${ofPerson}`)).toBe(violations.check);
});

test('DATA-21 coach_availability: times on a weekday of a week, 0 for Sunday to 6, each ending after it begins', async () => {
  expect(await schema.columnsOf('coach_availability')).toEqual(
    expect.arrayContaining(words('coach_id week_start_date day_of_week start_time end_time is_available')),
  );
  const coach = await buildCoach(schema.db);
  const offer = (day: number, start: string, end: string) =>
    `insert into coach_availability (coach_id, week_start_date, day_of_week, start_time, end_time)
    values ('${coach.id}', '2026-03-08', ${day}, '${start}', '${end}')`;
  for (const day of [0, 6]) await schema.run(offer(day, '09:00', '12:00'));
  const { rows } = await schema.pool.query(
    `select week_start_date::text, day_of_week, start_time, end_time, is_available from coach_availability
    where coach_id = $1 order by day_of_week`,
    [coach.id],
  );
  const time = { week_start_date: '2026-03-08', start_time: '09:00:00', end_time: '12:00:00', is_available: true };
  expect(rows).toEqual([
    { ...time, day_of_week: 0 },
    { ...time, day_of_week: 6 },
  ]);
  for (const day of [-1, 7]) expect(await schema.refusal(offer(day, '09:00', '12:00'))).toBe(violations.check);
  for (const end of ['14:00', '13:59']) expect(await schema.refusal(offer(1, '14:00', end))).toBe(violations.check);
  expect(await schema.refusal(offer(0, '09:00', '10:00'))).toBe(violations.unique);
  await schema.run(`update coach_availability set is_available = false where coach_id = '${coach.id}'`);
});

test('DATA-22 coaching_sessions: four statuses and no other, with the participant, and neither person has two scheduled ones that overlap', async () => {
  expect(await schema.columnsOf('coaching_sessions')).toEqual(
    expect.arrayContaining(
      words('id coach_id participant_id scheduled_at duration_minutes agenda notes status teams_link'),
    ),
  );
  const [coach, other] = [await buildCoach(schema.db), await buildCoach(schema.db)];
  const [person, second] = [await buildParticipant(schema.db), await buildParticipant(schema.db)];
  const book = (coachId: string, participantId: string, at: string) =>
    `insert into coaching_sessions (coach_id, participant_id, scheduled_at) values ('${coachId}', '${participantId}', '${at}')`;
  await schema.run(book(coach.id, person.id, '2026-03-09T14:00Z'));
  expect(await schema.refusal(book(coach.id, second.id, '2026-03-09T14:29Z'))).toBe(violations.exclusion);
  expect(await schema.refusal(book(other.id, person.id, '2026-03-09T13:31Z'))).toBe(violations.exclusion);
  await schema.run(book(coach.id, second.id, '2026-03-09T14:30Z'));
  await schema.run(`update coaching_sessions set status = 'cancelled' where participant_id = '${person.id}'`);
  await schema.run(book(other.id, person.id, '2026-03-09T14:00Z'));
  const joined = await schema.one(`select first_name, last_name, email, status, duration_minutes
    from coaching_sessions join profiles on profiles.id = participant_id where participant_id = '${second.id}'`);
  const { firstName: first_name, lastName: last_name, email } = second;
  expect(joined).toEqual({ first_name, last_name, email, status: 'scheduled', duration_minutes: 30 });
  const settle = (facts: string) =>
    `update coaching_sessions set ${facts} where participant_id = '${second.id}' returning agenda, notes, status, teams_link`;
  const texts = { agenda: 'Goals', notes: 'On track', teams_link: 'https://teams.example/1' };
  const said = "agenda = 'Goals', notes = 'On track', teams_link = 'https://teams.example/1'";
  for (const status of ['completed', 'no_show', 'cancelled', 'scheduled']) {
    expect(await schema.one(settle(`status = '${status}', ${said}`))).toEqual({ ...texts, status });
  }
  expect(await schema.refusal(settle("status = 'postponed'"))).toBe(violations.check);
});

test('DATA-27 DATA1-23 what the participant dashboard reads is there, weekly_attendance as a view', async () => {
  expect(await schema.columnsOf('performance_feedback')).toEqual(
    expect.arrayContaining(words('fellow_id week_number overall_rating')),
  );
  expect(await schema.columnsOf('weekly_attendance')).toEqual(
    words('fellow_id cohort_id week_number activities_total activities_accessed attendance_percentage'),
  );
  expect(
    await schema.one("select table_type from information_schema.tables where table_name = 'weekly_attendance'"),
  ).toEqual({
    table_type: 'VIEW',
  });
  const cohort = await buildCohort(schema.db);
  const person = await buildParticipant(schema.db);
  const coach = await buildCoach(schema.db);
  await enrol(schema.db, { cohortId: cohort.id, participantId: person.id });
  const activity = await buildActivity(schema.db, { cohortId: cohort.id, weekNumber: 2 });
  await buildActivity(schema.db, { cohortId: cohort.id, weekNumber: 2 });
  await schema.run(
    `insert into attendance_records (fellow_id, cohort_id, content_id, week_number) values ('${person.id}', '${cohort.id}', '${activity.id}', 2)`,
  );
  expect(
    await schema.one(
      `select activities_total, activities_accessed, attendance_percentage from weekly_attendance where fellow_id = '${person.id}'`,
    ),
  ).toEqual({
    activities_total: 2,
    activities_accessed: 1,
    attendance_percentage: 50,
  });
  const rate = (rating: number) =>
    `insert into performance_feedback (fellow_id, cohort_id, week_number, overall_rating, rated_by) values ('${person.id}', '${cohort.id}', 2, ${rating}, '${coach.id}')`;
  expect(await schema.refusal(rate(3.2))).toBe(violations.check);
  await schema.run(rate(3.5));
  expect(await schema.refusal(rate(4))).toBe(violations.unique);
});

test('DATA1-13 MSG-37 coach_messages: two kinds of recipient, four kinds of message, read state and time; of a sent one only that it was read changes, once', async () => {
  expect(await schema.columnsOf('coach_messages')).toEqual(
    expect.arrayContaining(
      words('id sender_id recipient_id recipient_type subject message message_type file_path is_read read_at sent_at'),
    ),
  );
  const [coach, person] = [await buildCoach(schema.db), await buildParticipant(schema.db)];
  const send = (recipientType: string, message: string) =>
    `insert into coach_messages (sender_id, recipient_id, recipient_type, message) values ('${coach.id}', '${person.id}', '${recipientType}', '${message}')`;
  await schema.run(send('fellow', 'Hello'));
  expect(
    await schema.one(
      `select recipient_type, subject, message_type, file_path, is_read, read_at, sent_at from coach_messages where sender_id = '${coach.id}'`,
    ),
  ).toEqual({
    recipient_type: 'fellow',
    subject: null,
    message_type: 'general',
    file_path: null,
    is_read: false,
    read_at: null,
    sent_at: expect.any(Date),
  });
  const answer = (type: string) =>
    `insert into coach_messages (sender_id, recipient_id, recipient_type, subject, message, message_type)
    values ('${person.id}', '${coach.id}', 'coach', 'Relays', 'Hello', '${type}')`;
  const types = ['feedback', 'general', 'performance_note', 'session_request'];
  for (const type of types) await schema.run(answer(type));
  const { rows } = await schema.pool.query(
    "select message_type from coach_messages where sender_id = $1 and recipient_type = 'coach' order by message_type",
    [person.id],
  );
  expect(rows.map(({ message_type }) => message_type)).toEqual(types);
  expect(await schema.refusal(answer('reminder'))).toBe(violations.check);
  expect(await schema.refusal(send('admin', 'Hello'))).toBe(violations.check);
  expect(await schema.refusal(send('fellow', ''))).toBe(violations.check);
  expect(await schema.refusal(`update coach_messages set is_read = true where sender_id = '${coach.id}'`)).toBe(
    violations.check,
  );
  const raised = 'P0001';
  expect(await schema.refusal(`update coach_messages set message = 'Bye' where sender_id = '${coach.id}'`)).toBe(
    raised,
  );
  await schema.run(`update coach_messages set is_read = true, read_at = now() where sender_id = '${coach.id}'`);
  const unread = `update coach_messages set is_read = false, read_at = null where sender_id = '${coach.id}'`;
  expect(await schema.refusal(unread)).toBe(raised);
});

test('DATA1-19 stipend_eligibility: overall follows from the three, with one of four statuses, and a decision has its time and its person', async () => {
  expect(await schema.columnsOf('stipend_eligibility')).toEqual(
    expect.arrayContaining(
      words(`id fellow_id cohort_id week_number attendance_eligible assignment_eligible performance_eligible overall_eligible
        attendance_percentage performance_rating stipend_amount_cents payment_status approved_by approved_at created_at`),
    ),
  );
  const cohort = await buildCohort(schema.db);
  const person = await buildParticipant(schema.db);
  const stored =
    await schema.one(`insert into stipend_eligibility (fellow_id, cohort_id, week_number, criteria, rules_version,
    attendance_percentage, activities_total, activities_accessed, assignments_total, assignments_submitted)
    values ('${person.id}', '${cohort.id}', 1, '${judgedWeek({ performanceRating: 2.5 }).criteria}', 1, 80, 5, 4, 1, 1)
    returning attendance_eligible, assignment_eligible, performance_eligible, id, overall_eligible, payment_status, stipend_amount_cents`);
  expect(stored).toMatchObject({ attendance_eligible: true, assignment_eligible: true, performance_eligible: false });
  expect(stored).toMatchObject({ overall_eligible: false, payment_status: 'pending', stipend_amount_cents: 50_000 });
  const admin = await buildAdmin(schema.db);
  const rowOf = (status: string, week: number, decision: string) =>
    `insert into stipend_eligibility (fellow_id, cohort_id, week_number, criteria, rules_version,
      attendance_percentage, activities_total, activities_accessed, assignments_total,
      assignments_submitted, payment_status, denial_reason, approved_at, approved_by)
    values ('${person.id}', '${cohort.id}', ${week}, '${judgedWeek().criteria}', 1, 80, 5, 4, 1, 1, '${status}',
      ${status === 'denied' ? "'Not what was agreed.'" : 'null'}, ${decision})
    returning payment_status, approved_by`;
  for (const [index, status] of ['approved', 'denied', 'paid'].entries()) {
    expect(await schema.refusal(rowOf(status, index + 2, 'null, null'))).toBe(violations.check);
    expect(await schema.one(rowOf(status, index + 2, `now(), '${admin.id}'`))).toEqual({
      payment_status: status,
      approved_by: admin.id,
    });
  }
  expect(await schema.refusal(rowOf('held', 5, `now(), '${admin.id}'`))).toBe(violations.check);
  expect(await schema.refusal(rowOf('pending', 5, `null, '${admin.id}'`))).toBe(violations.check);
  expect(await schema.refusal(rowOf('pending', 5, `now(), '${admin.id}'`))).toBe(violations.check);
  expect(
    await schema.refusal(`update stipend_eligibility set stipend_amount_cents = -1 where id = '${stored.id}'`),
  ).toBe(violations.check);
});

async function someItem() {
  const activity = await buildActivity(schema.db);
  return buildContentItem(schema.db, { trainingActivityId: activity.id });
}
