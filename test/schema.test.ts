import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryMedia, deliveryModes, moduleNames } from '#contract/learning.ts';
import { buildCohort, buildCourse, enrol } from './factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from './factories/curriculum.ts';
import { buildCoach, buildParticipant } from './factories/people.ts';
import { buildStoredFile } from './factories/stored-files.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** PostgreSQL's codes for what a constraint refuses. */
const violations = { unique: '23505', check: '23514', foreignKey: '23503', notNull: '23502', exclusion: '23P01' };

test('DATA-01 DATA1-01 profiles holds the person, the role with its default, the track and the scheduling fields', async () => {
  expect(await columnsOf('profiles')).toEqual(
    expect.arrayContaining(
      words(`id email first_name last_name role track_type created_at scheduling_link scheduling_enabled calendly_link
        microsoft_booking_link external_booking_instructions`),
    ),
  );
  const id = await newId();
  await run(`insert into profiles (id, email, first_name, last_name) values ('${id}', 'Mixed@Case.example', 'A', 'B')`);
  expect(await one(`select role, track_type from profiles where id = '${id}'`)).toEqual({
    role: 'participant',
    track_type: null,
  });
  expect(
    await refusal(`insert into profiles (id, email, first_name, last_name) values ('${id}', 'x@y.example', 'A', 'B')`),
  ).toBe(violations.unique);
  expect(await refusal(`update profiles set role = 'superadmin' where id = '${id}'`)).toBe(violations.check);
  expect(await refusal(`update profiles set track_type = 'other' where id = '${id}'`)).toBe(violations.check);
  expect(await refusal(`update profiles set scheduling_enabled = true where id = '${id}'`)).toBe(violations.check);
});

test('DATA1-26 one profile per e-mail whatever its case, one membership per pair, one stipend per fellow, cohort and week', async () => {
  const person = await buildParticipant(database.db, { email: 'once@people.example' });
  expect(
    await refusal(
      `insert into profiles (id, email, first_name, last_name) values ('${await newId()}', 'ONCE@people.example', 'A', 'B')`,
    ),
  ).toBe(violations.unique);
  const cohort = await buildCohort(database.db);
  await enrol(database.db, { cohortId: cohort.id, participantId: person.id });
  expect(
    await refusal(
      `insert into cohort_participants (cohort_id, participant_id) values ('${cohort.id}', '${person.id}')`,
    ),
  ).toBe(violations.unique);
  const stipend = `insert into stipend_eligibility (fellow_id, cohort_id, week_number, attendance_eligible, assignment_eligible,
    performance_eligible, attendance_percentage, activities_total, activities_accessed, assignments_total, assignments_submitted)
    values ('${person.id}', '${cohort.id}', 1, true, true, true, 100, 1, 1, 0, 0)`;
  await run(stipend);
  expect(await refusal(stipend)).toBe(violations.unique);
});

test('DATA-04 DATA-05 DATA1-11 DATA1-25 user_courses: one row per user and course, a second insert fails with 23505, the coach may be empty', async () => {
  expect(await columnsOf('user_courses')).toEqual(words('user_id course_id coach_id status start_date'));
  const person = await buildParticipant(database.db);
  const course = await buildCourse(database.db);
  const insert = `insert into user_courses (user_id, course_id) values ('${person.id}', '${course.id}')`;
  await run(insert);
  expect(await refusal(insert)).toBe('23505');
  const joined = await one(
    `select title, coach_id, status from user_courses join courses on courses.id = course_id where user_id = '${person.id}'`,
  );
  expect(joined).toEqual({ title: course.title, coach_id: null, status: 'enrolled' });
});

test('DATA-06 DATA1-12 courses has a title and a track', async () => {
  expect(await columnsOf('courses')).toEqual(expect.arrayContaining(words('id title track_type')));
  expect(await refusal("insert into courses (title, track_type) values ('X', 'other')")).toBe(violations.check);
});

test('DATA-07 DATA1-09 cohorts: dates, size, status, programme, curriculum and a creation time to order by', async () => {
  expect(await columnsOf('cohorts')).toEqual(
    expect.arrayContaining(
      words(
        'id name description start_date end_date current_enrollment capacity status program_type curriculum_version created_at',
      ),
    ),
  );
  const cohort = await buildCohort(database.db);
  expect(await refusal(`update cohorts set status = 'sleeping' where id = '${cohort.id}'`)).toBe(violations.check);
  expect(await refusal(`update cohorts set end_date = start_date - 1 where id = '${cohort.id}'`)).toBe(
    violations.check,
  );
  expect(await refusal(`update cohorts set capacity = 0 where id = '${cohort.id}'`)).toBe(violations.check);
});

test('DATA-08 DATA1-10 cohort_participants: unique pair that supports an upsert, active by default, and the enrolment follows', async () => {
  expect(await columnsOf('cohort_participants')).toEqual(
    expect.arrayContaining(words('cohort_id participant_id status')),
  );
  const cohort = await buildCohort(database.db);
  const person = await buildParticipant(database.db);
  const upsert = `insert into cohort_participants (cohort_id, participant_id) values ('${cohort.id}', '${person.id}')
    on conflict (participant_id, cohort_id) do update set status = 'active'`;
  await run(upsert);
  await run(upsert);
  expect(await one(`select current_enrollment from cohorts where id = '${cohort.id}'`)).toEqual({
    current_enrollment: 1,
  });
  await run(`update cohort_participants set status = 'withdrawn' where participant_id = '${person.id}'`);
  expect(await one(`select current_enrollment from cohorts where id = '${cohort.id}'`)).toEqual({
    current_enrollment: 0,
  });
  const rows = await database.pool.query(
    `select c.name from cohort_participants p join cohorts c on c.id = p.cohort_id
    where p.participant_id = $1 and p.cohort_id = $2`,
    [person.id, cohort.id],
  );
  expect(rows.rows).toEqual([{ name: cohort.name }]);
});

test('DATA-09 DATA1-02 training_activities holds schedule, delivery, module and the four programmes', async () => {
  expect(await columnsOf('training_activities')).toEqual(
    expect.arrayContaining(
      words(`id title week_number session_date duration duration_minutes location delivery_partner delivery_medium
        training_delivery_mode description sharepoint_id module_name applicable_fellowship applicable_amp
        applicable_fellowship_adjunct applicable_ambassador cohort_id created_at`),
    ),
  );
  const activity = await buildActivity(database.db, { duration: '2 hours' });
  expect(activity.duration).toBe('2 hours');
  expect(await refusal(`update training_activities set week_number = 21 where id = '${activity.id}'`)).toBe(
    violations.check,
  );
  expect(await refusal(`update training_activities set delivery_medium = 'Pigeon' where id = '${activity.id}'`)).toBe(
    violations.check,
  );
});

test('DATA1-03 the 13 module names are offered as written', () => {
  expect(moduleNames).toEqual([
    'Energy Technology and Applications',
    'Industry & Sector drivers',
    'Policy (Safety, Justice, and Incentives)',
    'Career Readiness',
    'Project Management/Project Coordination',
    'Quality Assurance',
    'Field Service Engineering',
    'Electrical System Design',
    'Policy & Stakeholder Engagement',
    'Case Management',
    'Mock Interviews',
    'Industry Projects',
    'Career Center',
  ]);
});

test('DATA1-04 DATA1-05 the delivery modes and media that are offered are those that the database takes', async () => {
  expect(deliveryModes).toEqual([
    'Self-paced Online',
    'SME-delivered In-person',
    'SME-delivered Hybrid',
    'SME-delivered Webconference',
  ]);
  expect(deliveryMedia).toEqual(['Online', 'In-person', 'Virtual', 'Hybrid']);
  for (const trainingDeliveryMode of deliveryModes) await buildActivity(database.db, { trainingDeliveryMode });
  for (const deliveryMedium of deliveryMedia) await buildActivity(database.db, { deliveryMedium });
});

test('DATA-10 DATA1-06 content_items: every type is stored, with order, minutes and required', async () => {
  expect(await columnsOf('content_items')).toEqual(
    expect.arrayContaining(
      words(
        'id training_activity_id title description content_type content_url content_text order_index estimated_minutes is_required due_date',
      ),
    ),
  );
  const activity = await buildActivity(database.db);
  for (const contentType of words('reading video assignment link_task certificate quiz project')) {
    await buildContentItem(database.db, { trainingActivityId: activity.id, contentType });
  }
  expect(
    await refusal(
      `insert into content_items (training_activity_id, title, content_type) values ('${activity.id}', 'X', 'dance')`,
    ),
  ).toBe(violations.check);
  expect(
    await refusal(
      `insert into content_items (training_activity_id, title, order_index) values ('${activity.id}', 'X', 0)`,
    ),
  ).toBe(violations.check);
});

test('DATA-11 DATA1-07 content_assignments: every type is stored, 100 points unless said otherwise', async () => {
  expect(await columnsOf('content_assignments')).toEqual(
    expect.arrayContaining(
      words('id content_item_id title instructions assignment_type due_date is_required max_points'),
    ),
  );
  const item = await someItem();
  for (const type of words(
    'written_response project_submission upload_certificate link_task read_material watch_video',
  )) {
    await run(
      `insert into content_assignments (content_item_id, title, instructions, assignment_type) values ('${item.id}', 'X', 'Y', '${type}')`,
    );
  }
  expect(await one(`select distinct max_points from content_assignments where content_item_id = '${item.id}'`)).toEqual(
    { max_points: 100 },
  );
});

test('DATA-12 DATA-13 DATA1-08 content_submissions: one row per assignment and user, reviewed only with reviewer and time', async () => {
  expect(await columnsOf('content_submissions')).toEqual(
    expect.arrayContaining(
      words('id assignment_id user_id submission_text file_path status feedback reviewed_by reviewed_at submitted_at'),
    ),
  );
  const person = await buildParticipant(database.db);
  const assignment = await buildAssignment(database.db, { contentItemId: (await someItem()).id });
  const insert = `insert into content_submissions (assignment_id, user_id, submission_text) values ('${assignment.id}', '${person.id}', 'Text')`;
  await run(insert);
  expect(await refusal(insert)).toBe(violations.unique);
  expect(await refusal(`update content_submissions set status = 'accepted' where user_id = '${person.id}'`)).toBe(
    violations.check,
  );
  expect(await refusal(`update content_submissions set submission_text = null where user_id = '${person.id}'`)).toBe(
    violations.check,
  );
});

test('DATA-14 content_evaluations: one a submission, with points, feedback and time', async () => {
  expect(await columnsOf('content_evaluations')).toEqual(
    expect.arrayContaining(words('submission_id points_earned feedback graded_at')),
  );
  expect(await refusal(`insert into content_evaluations (submission_id) values ('${await newId()}')`)).toBe(
    violations.foreignKey,
  );
});

test('DATA-15 DATA1-22 attendance_records: once per fellow and activity, and by somebody else only with a reason', async () => {
  expect(await columnsOf('attendance_records')).toEqual(
    expect.arrayContaining(
      words('fellow_id cohort_id content_id week_number content_type duration_minutes accessed_at'),
    ),
  );
  const cohort = await buildCohort(database.db);
  const person = await buildParticipant(database.db);
  const coach = await buildCoach(database.db);
  const activity = await buildActivity(database.db, { cohortId: cohort.id });
  const insert = `insert into attendance_records (fellow_id, cohort_id, content_id, week_number) values ('${person.id}', '${cohort.id}', '${activity.id}', 1)`;
  await run(insert);
  expect(
    await one(`select content_type, duration_minutes from attendance_records where fellow_id = '${person.id}'`),
  ).toEqual({
    content_type: 'live_session',
    duration_minutes: 60,
  });
  expect(await refusal(insert)).toBe(violations.unique);
  expect(
    await refusal(`update attendance_records set recorded_by = '${coach.id}' where fellow_id = '${person.id}'`),
  ).toBe(violations.check);
});

test('DATA-16 DATA-17 tracks and modules: a specialization module belongs to a track, a core module to none', async () => {
  expect(await columnsOf('specialization_tracks')).toEqual(words('id name description duration_weeks is_active'));
  expect(await columnsOf('course_modules')).toEqual(
    expect.arrayContaining(words('id title module_type specialization_track_id curriculum_version')),
  );
  expect(await refusal("insert into course_modules (title, module_type) values ('X', 'specialization')")).toBe(
    violations.check,
  );
  await run("insert into course_modules (title, module_type) values ('Safety', 'core')");
  expect(await refusal("insert into course_modules (title, module_type) values ('Safety', 'core')")).toBe(
    violations.unique,
  );
});

test('DATA-18 DATA-19 DATA-20 completions, track selections and progress: one row per person and cohort (and module)', async () => {
  expect(await columnsOf('participant_module_completions')).toEqual(
    expect.arrayContaining(words('participant_id cohort_id module_id')),
  );
  expect(await columnsOf('track_selections')).toEqual(
    expect.arrayContaining(
      words('id participant_id cohort_id specialization_track_id notes selected_at is_locked locked_at'),
    ),
  );
  expect(await columnsOf('participant_progress')).toEqual(
    expect.arrayContaining(
      words(`participant_id cohort_id total_modules completed_modules core_modules_completed specialization_modules_completed
        overall_completion_percentage days_ahead_behind status last_activity_date`),
    ),
  );
  const cohort = await buildCohort(database.db);
  const person = await buildParticipant(database.db);
  const module = await one("insert into course_modules (title, module_type) values ('Once', 'core') returning id");
  const track = await one("insert into specialization_tracks (name) values ('Once') returning id");
  const pair = `'${person.id}', '${cohort.id}'`;
  for (const insert of [
    `insert into participant_module_completions (participant_id, cohort_id, module_id) values (${pair}, '${module.id}')`,
    `insert into track_selections (participant_id, cohort_id, specialization_track_id) values (${pair}, '${track.id}')`,
    `insert into participant_progress (participant_id, cohort_id) values (${pair})`,
  ]) {
    await run(insert);
    expect(await refusal(insert)).toBe(violations.unique);
  }
  expect(await refusal(`update track_selections set is_locked = true where participant_id = '${person.id}'`)).toBe(
    violations.check,
  );
  expect(await refusal(`update participant_progress set status = 'late' where participant_id = '${person.id}'`)).toBe(
    violations.check,
  );
});

test('DATA-21 DATA-22 availability and sessions: neither coach nor participant can have two scheduled sessions that overlap', async () => {
  expect(await columnsOf('coach_availability')).toEqual(
    expect.arrayContaining(words('coach_id week_start_date day_of_week start_time end_time is_available')),
  );
  expect(await columnsOf('coaching_sessions')).toEqual(
    expect.arrayContaining(
      words('id coach_id participant_id scheduled_at duration_minutes agenda notes status teams_link'),
    ),
  );
  const [coach, other] = [await buildCoach(database.db), await buildCoach(database.db)];
  const [person, second] = [await buildParticipant(database.db), await buildParticipant(database.db)];
  const book = (coachId: string, participantId: string, at: string) =>
    `insert into coaching_sessions (coach_id, participant_id, scheduled_at) values ('${coachId}', '${participantId}', '${at}')`;
  await run(book(coach.id, person.id, '2026-03-09T14:00Z'));
  expect(await refusal(book(coach.id, second.id, '2026-03-09T14:29Z'))).toBe(violations.exclusion);
  expect(await refusal(book(other.id, person.id, '2026-03-09T13:31Z'))).toBe(violations.exclusion);
  await run(book(coach.id, second.id, '2026-03-09T14:30Z'));
  await run(`update coaching_sessions set status = 'cancelled' where participant_id = '${person.id}'`);
  await run(book(other.id, person.id, '2026-03-09T14:00Z'));
  const joined =
    await one(`select first_name, last_name, email from coaching_sessions join profiles on profiles.id = participant_id
    where participant_id = '${second.id}'`);
  expect(joined).toEqual({ first_name: second.firstName, last_name: second.lastName, email: second.email });
});

test('DATA-23 weekly_requirements: what a cohort owes and when', async () => {
  expect(await columnsOf('weekly_requirements')).toEqual(
    expect.arrayContaining(words('cohort_id title type due_date')),
  );
});

test('DATA-27 DATA1-23 what the participant dashboard reads is there, weekly_attendance as a view', async () => {
  expect(await columnsOf('performance_feedback')).toEqual(
    expect.arrayContaining(words('fellow_id week_number overall_rating')),
  );
  expect(await columnsOf('weekly_attendance')).toEqual(
    words('fellow_id cohort_id week_number activities_total activities_accessed attendance_percentage'),
  );
  expect(await one("select table_type from information_schema.tables where table_name = 'weekly_attendance'")).toEqual({
    table_type: 'VIEW',
  });
  const cohort = await buildCohort(database.db);
  const person = await buildParticipant(database.db);
  const coach = await buildCoach(database.db);
  await enrol(database.db, { cohortId: cohort.id, participantId: person.id });
  const activity = await buildActivity(database.db, { cohortId: cohort.id, weekNumber: 2 });
  await buildActivity(database.db, { cohortId: cohort.id, weekNumber: 2 });
  await run(
    `insert into attendance_records (fellow_id, cohort_id, content_id, week_number) values ('${person.id}', '${cohort.id}', '${activity.id}', 2)`,
  );
  expect(
    await one(
      `select activities_total, activities_accessed, attendance_percentage from weekly_attendance where fellow_id = '${person.id}'`,
    ),
  ).toEqual({
    activities_total: 2,
    activities_accessed: 1,
    attendance_percentage: 50,
  });
  const rate = (rating: number) =>
    `insert into performance_feedback (fellow_id, cohort_id, week_number, overall_rating, rated_by) values ('${person.id}', '${cohort.id}', 2, ${rating}, '${coach.id}')`;
  expect(await refusal(rate(3.2))).toBe(violations.check);
  await run(rate(3.5));
  expect(await refusal(rate(4))).toBe(violations.unique);
});

test('DATA1-13 coach_messages: kinds, read state and time', async () => {
  expect(await columnsOf('coach_messages')).toEqual(
    words('id sender_id recipient_id recipient_type subject message message_type file_path is_read read_at sent_at'),
  );
  const [coach, person] = [await buildCoach(database.db), await buildParticipant(database.db)];
  const send = (recipientType: string, message: string) =>
    `insert into coach_messages (sender_id, recipient_id, recipient_type, message) values ('${coach.id}', '${person.id}', '${recipientType}', '${message}')`;
  await run(send('fellow', 'Hello'));
  expect(await refusal(send('admin', 'Hello'))).toBe(violations.check);
  expect(await refusal(send('fellow', ''))).toBe(violations.check);
  expect(await refusal(`update coach_messages set is_read = true where sender_id = '${coach.id}'`)).toBe(
    violations.check,
  );
});

test('DATA1-14 DATA1-24 notification_preferences: one row a person, with the documented defaults', async () => {
  const person = await buildParticipant(database.db);
  const insert = `insert into notification_preferences (user_id) values ('${person.id}')`;
  await run(insert);
  expect(await one(`select * from notification_preferences where user_id = '${person.id}'`)).toEqual({
    user_id: person.id,
    email_enabled: true,
    sms_enabled: false,
    push_enabled: true,
    assignment_reminders: true,
    deadline_alerts: true,
    performance_feedback: true,
    stipend_updates: true,
    coach_messages: true,
  });
  expect(await refusal(insert)).toBe(violations.unique);
});

test('DATA1-15 resources: with the creator by uploaded_by', async () => {
  expect(await columnsOf('resources')).toEqual(
    words('id title description file_type file_url course_module program uploaded_by created_at'),
  );
  const coach = await buildCoach(database.db);
  await run(
    `insert into resources (title, file_url, uploaded_by) values ('Slides', 'https://files.example/1', '${coach.id}')`,
  );
  const stored = await one(
    `select file_type, program, first_name from resources join profiles on profiles.id = uploaded_by where title = 'Slides'`,
  );
  expect(stored).toEqual({ file_type: 'material', program: 'fellowship', first_name: coach.firstName });
  expect(
    await refusal("insert into resources (title, file_url, file_type) values ('X', 'https://x.example', 'song')"),
  ).toBe(violations.check);
});

test('DATA1-16 user_files: one record a stored file', async () => {
  expect(await columnsOf('user_files')).toEqual(words('id user_id file_path display_name size mime_type upload_date'));
  const person = await buildParticipant(database.db);
  const file = await buildStoredFile(database.db, { ownerId: person.id, area: 'my_files' });
  const insert = `insert into user_files (user_id, file_path, display_name, size, mime_type) values ('${person.id}', '${file.path}', 'a.pdf', 10, 'application/pdf')`;
  await run(insert);
  expect(await refusal(insert)).toBe(violations.unique);
});

test('DATA1-18 bulk_imports: completed_at is empty while processing and set at the end', async () => {
  expect(await columnsOf('bulk_imports')).toEqual(
    expect.arrayContaining(
      words('id filename status total_records successful_records failed_records error_report created_at completed_at'),
    ),
  );
  const coach = await buildCoach(database.db);
  const item = await one(
    `insert into bulk_imports (filename, total_records, created_by) values ('a.csv', 1, '${coach.id}') returning id, status, completed_at`,
  );
  expect(item).toMatchObject({ status: 'processing', completed_at: null });
  expect(await refusal(`update bulk_imports set status = 'completed' where id = '${item.id}'`)).toBe(violations.check);
});

test('DATA1-19 stipend_eligibility: overall follows from the three, and a decision has its time and its person', async () => {
  expect(await columnsOf('stipend_eligibility')).toEqual(
    expect.arrayContaining(
      words(`id fellow_id cohort_id week_number attendance_eligible assignment_eligible performance_eligible overall_eligible
        attendance_percentage performance_rating stipend_amount_cents payment_status approved_by approved_at created_at`),
    ),
  );
  const cohort = await buildCohort(database.db);
  const person = await buildParticipant(database.db);
  const stored =
    await one(`insert into stipend_eligibility (fellow_id, cohort_id, week_number, attendance_eligible, assignment_eligible,
    performance_eligible, attendance_percentage, activities_total, activities_accessed, assignments_total, assignments_submitted)
    values ('${person.id}', '${cohort.id}', 1, true, true, false, 80, 5, 4, 1, 1)
    returning id, overall_eligible, payment_status, stipend_amount_cents`);
  expect(stored).toMatchObject({ overall_eligible: false, payment_status: 'pending', stipend_amount_cents: 50_000 });
  expect(await refusal(`update stipend_eligibility set payment_status = 'approved' where id = '${stored.id}'`)).toBe(
    violations.check,
  );
  expect(await refusal(`update stipend_eligibility set stipend_amount_cents = -1 where id = '${stored.id}'`)).toBe(
    violations.check,
  );
});

test('what was audited, and what was handed in, can be neither changed nor removed', async () => {
  await run(
    `insert into audit_log (action, subject_type, subject_id) values ('role.change', 'profile', '${await newId()}')`,
  );
  await expect(run("update audit_log set action = 'nothing'")).rejects.toThrow('append-only');
  await expect(run('delete from audit_log')).rejects.toThrow('append-only');
  await expect(run('truncate audit_log')).rejects.toThrow('append-only');
  await expect(run('delete from submission_rounds')).rejects.toThrow('append-only');
});

async function someItem() {
  const activity = await buildActivity(database.db);
  return buildContentItem(database.db, { trainingActivityId: activity.id });
}

function words(list: string): string[] {
  return list.split(/\s+/);
}

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position",
    [table],
  );
  return rows.map(({ name }) => name);
}

async function run(statement: string): Promise<void> {
  await database.pool.query(statement);
}

async function one(statement: string): Promise<Record<string, unknown>> {
  const { rows } = await database.pool.query<Record<string, unknown>>(statement);
  expect(rows).toHaveLength(1);
  return rows[0] ?? {};
}

async function newId(): Promise<string> {
  return String((await one('select time_ordered_id() as id')).id);
}

/** The code that the database refuses the statement with. */
async function refusal(statement: string): Promise<string | undefined> {
  const failure = await database.pool.query(statement).then(
    () => undefined,
    (error: { code?: string }) => error,
  );
  return failure?.code;
}
