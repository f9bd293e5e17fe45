import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgedWeek } from '#test/factories/stipends.ts';
import { buildCohort, buildCourse, enrol } from './factories/cohorts.ts';
import { buildCoach, buildParticipant } from './factories/people.ts';
import { openSchema, type Schema, violations, words } from './support/schema.ts';

let schema: Schema;
beforeAll(async () => {
  schema = await openSchema();
});
afterAll(() => schema.leave());

test('DATA-01 DATA1-01 profiles holds the person, the role with its default, the track and the scheduling fields', async () => {
  expect(await schema.columnsOf('profiles')).toEqual(
    expect.arrayContaining(
      words(`id email first_name last_name role track_type created_at scheduling_link scheduling_enabled calendly_link
        microsoft_booking_link external_booking_instructions`),
    ),
  );
  const id = await schema.newId();
  await schema.run(
    `insert into profiles (id, email, first_name, last_name) values ('${id}', 'Mixed@Case.example', 'A', 'B')`,
  );
  expect(await schema.one(`select role, track_type from profiles where id = '${id}'`)).toEqual({
    role: 'participant',
    track_type: null,
  });
  const upsert = (firstName: string) =>
    `insert into profiles (id, email, first_name, last_name) values ('${id}', 'mixed@case.example', '${firstName}', 'B')
    on conflict (id) do update set first_name = excluded.first_name`;
  await schema.run(upsert('Changed'));
  expect(await schema.one(`select first_name, created_at from profiles where email = 'MIXED@case.example'`)).toEqual({
    first_name: 'Changed',
    created_at: expect.any(Date),
  });
  for (const [column, values] of [
    ['role', ['coach', 'admin', 'participant']],
    ['track_type', ['fellowship', 'adult_mobilization', 'self_learner', null]],
  ] as const) {
    for (const value of values) {
      const { rows } = await schema.pool.query(
        `update profiles set ${column} = $1 where id = $2 returning ${column} as stored`,
        [value, id],
      );
      expect(rows).toEqual([{ stored: value }]);
    }
  }
  const links = {
    scheduling_link: 'https://book.example/1',
    scheduling_enabled: true,
    calendly_link: 'https://calendly.example/1',
    microsoft_booking_link: 'https://bookings.example/1',
    external_booking_instructions: 'Call me',
  };
  const assigned = Object.keys(links).map((column, index) => `${column} = $${index + 2}`);
  const { rows: withLinks } = await schema.pool.query(
    `update profiles set ${assigned} where id = $1 returning ${Object.keys(links)}`,
    [id, ...Object.values(links)],
  );
  expect(withLinks).toEqual([links]);
  expect(
    await schema.refusal(
      `insert into profiles (id, email, first_name, last_name) values ('${id}', 'x@y.example', 'A', 'B')`,
    ),
  ).toBe(violations.unique);
  expect(await schema.refusal(`update profiles set role = 'superadmin' where id = '${id}'`)).toBe(violations.check);
  expect(await schema.refusal(`update profiles set track_type = 'other' where id = '${id}'`)).toBe(violations.check);
  expect(await schema.refusal(`update profiles set scheduling_link = null where id = '${id}'`)).toBe(violations.check);
});

test('DATA1-26 one profile per email whatever its case, one membership per pair, one stipend per fellow, cohort and week', async () => {
  const person = await buildParticipant(schema.db, { email: 'once@people.example' });
  expect(
    await schema.refusal(
      `insert into profiles (id, email, first_name, last_name) values ('${await schema.newId()}', 'ONCE@people.example', 'A', 'B')`,
    ),
  ).toBe(violations.unique);
  const cohort = await buildCohort(schema.db);
  await enrol(schema.db, { cohortId: cohort.id, participantId: person.id });
  expect(
    await schema.refusal(
      `insert into cohort_participants (cohort_id, participant_id) values ('${cohort.id}', '${person.id}')`,
    ),
  ).toBe(violations.unique);
  const stipend = `insert into stipend_eligibility (fellow_id, cohort_id, week_number, criteria, rules_version,
    attendance_percentage, activities_total, activities_accessed, assignments_total, assignments_submitted)
    values ('${person.id}', '${cohort.id}', 1, '${judgedWeek().criteria}', 1, 100, 1, 1, 0, 0)`;
  await schema.run(stipend);
  expect(await schema.refusal(stipend)).toBe(violations.unique);
});

test('DATA-04 DATA-05 DATA1-11 DATA1-25 user_courses: one row per user and course, a second insert fails with 23505, the coach may be empty', async () => {
  expect(await schema.columnsOf('user_courses')).toEqual(words('user_id course_id coach_id status start_date'));
  const person = await buildParticipant(schema.db);
  const course = await buildCourse(schema.db);
  const insert = `insert into user_courses (user_id, course_id) values ('${person.id}', '${course.id}')`;
  await schema.run(insert);
  expect(await schema.refusal(insert)).toBe('23505');
  const joined = await schema.one(
    `select title, coach_id, status from user_courses join courses on courses.id = course_id where user_id = '${person.id}'`,
  );
  expect(joined).toEqual({ title: course.title, coach_id: null, status: 'enrolled' });
});

test('TIME-02 DATA-04 a course begins on the US Eastern day, also in the evening, when it is tomorrow in Greenwich', async () => {
  const { begins } = await schema.one(
    `select pg_get_expr(adbin, adrelid) as begins from pg_attrdef join pg_attribute column_of
       on column_of.attrelid = adrelid and column_of.attnum = adnum
     where adrelid = 'user_courses'::regclass and column_of.attname = 'start_date'`,
  );
  expect(begins).toContain('now()');
  const dayAt = async (instant: string) =>
    (await schema.one(`select (${String(begins).replace('now()', `timestamptz '${instant}'`)})::text as day`)).day;
  expect(await dayAt('2026-01-06 02:00Z')).toBe('2026-01-05');
  expect(await dayAt('2026-07-07 03:59Z')).toBe('2026-07-06');
  expect(await dayAt('2026-07-07 04:00Z')).toBe('2026-07-07');
});

test('a full name is both parts as they are written, also where one is empty, and follows them', async () => {
  const { id } = await buildParticipant(schema.db, { firstName: 'Nadia', lastName: '' });
  const fullName = async () => (await schema.one(`select full_name from profiles where id = '${id}'`)).full_name;
  expect(await fullName()).toBe('Nadia ');
  await schema.run(`update profiles set last_name = 'Ng' where id = '${id}'`);
  expect(await fullName()).toBe('Nadia Ng');
});

test('DATA-06 DATA1-12 courses has a title and a track', async () => {
  expect(await schema.columnsOf('courses')).toEqual(expect.arrayContaining(words('id title track_type')));
  for (const track of words('fellowship adult_mobilization self_learner')) {
    expect(
      await schema.one(
        `insert into courses (title, track_type) values ('For ${track}', '${track}') returning title, track_type`,
      ),
    ).toEqual({ title: `For ${track}`, track_type: track });
  }
  expect(await schema.refusal("insert into courses (title, track_type) values ('X', 'other')")).toBe(violations.check);
});

test('DATA-07 DATA1-09 cohorts: dates, size, status, programme, curriculum and a creation time to order by', async () => {
  expect(await schema.columnsOf('cohorts')).toEqual(
    expect.arrayContaining(
      words(
        'id name description start_date end_date current_enrollment capacity status program_type curriculum_version created_at',
      ),
    ),
  );
  const cohort = await buildCohort(schema.db);
  const program = cohort.programType;
  expect(
    await schema.one(
      `insert into cohorts (name, start_date, end_date, program_type) values ('Bare', '2026-01-05', '2026-05-01', '${program}')
      returning description, capacity, current_enrollment, status, curriculum_version, created_at`,
    ),
  ).toEqual({
    description: '',
    capacity: 30,
    current_enrollment: 0,
    status: 'planning',
    curriculum_version: '1',
    created_at: expect.any(Date),
  });
  for (const [column, values] of [
    ['status', 'active planning completed cancelled'],
    ['program_type', 'fellowship adult_mobilization self_learner'],
  ] as const) {
    for (const value of words(values)) {
      const change = `update cohorts set ${column} = '${value}' where id = '${cohort.id}' returning ${column} as stored`;
      expect(await schema.one(change)).toEqual({ stored: value });
    }
  }
  expect(await schema.refusal(`update cohorts set program_type = 'other' where id = '${cohort.id}'`)).toBe(
    violations.check,
  );
  expect(await schema.refusal(`update cohorts set status = 'sleeping' where id = '${cohort.id}'`)).toBe(
    violations.check,
  );
  expect(await schema.refusal(`update cohorts set end_date = start_date - 1 where id = '${cohort.id}'`)).toBe(
    violations.check,
  );
  expect(await schema.refusal(`update cohorts set capacity = 0 where id = '${cohort.id}'`)).toBe(violations.check);
});

test('DATA-08 DATA1-10 cohort_participants: unique pair that supports an upsert, active by default, and the enrolment follows', async () => {
  expect(await schema.columnsOf('cohort_participants')).toEqual(
    expect.arrayContaining(words('cohort_id participant_id status')),
  );
  const cohort = await buildCohort(schema.db);
  const person = await buildParticipant(schema.db);
  const upsert = `insert into cohort_participants (cohort_id, participant_id) values ('${cohort.id}', '${person.id}')
    on conflict (participant_id, cohort_id) do update set status = 'active'`;
  await schema.run(upsert);
  await schema.run(upsert);
  expect(await schema.one(`select current_enrollment from cohorts where id = '${cohort.id}'`)).toEqual({
    current_enrollment: 1,
  });
  const second = await buildParticipant(schema.db);
  await enrol(schema.db, { cohortId: cohort.id, participantId: second.id });
  for (const [status, active] of [
    ['withdrawn', 1],
    ['completed', 1],
    ['active', 2],
  ] as const) {
    await schema.run(`update cohort_participants set status = '${status}' where participant_id = '${second.id}'`);
    const { rows: activeRows } = await schema.pool.query(
      `select p.status, c.name from cohort_participants p join cohorts c on c.id = p.cohort_id
      where p.cohort_id = $1 and p.status = 'active'`,
      [cohort.id],
    );
    expect(activeRows).toEqual(Array.from({ length: active }, () => ({ status: 'active', name: cohort.name })));
  }
  await schema.run(`delete from cohort_participants where participant_id = '${second.id}'`);
  expect(
    await schema.refusal(`update cohort_participants set status = 'away' where participant_id = '${person.id}'`),
  ).toBe(violations.check);
  await schema.run(`update cohort_participants set status = 'withdrawn' where participant_id = '${person.id}'`);
  expect(await schema.one(`select current_enrollment from cohorts where id = '${cohort.id}'`)).toEqual({
    current_enrollment: 0,
  });
  const rows = await schema.pool.query(
    `select c.name from cohort_participants p join cohorts c on c.id = p.cohort_id
    where p.participant_id = $1 and p.cohort_id = $2`,
    [person.id, cohort.id],
  );
  expect(rows.rows).toEqual([{ name: cohort.name }]);
});

test('DATA1-14 DATA1-24 notification_preferences: one row a person, with the documented defaults', async () => {
  const person = await buildParticipant(schema.db);
  const insert = `insert into notification_preferences (user_id) values ('${person.id}')`;
  await schema.run(insert);
  expect(await schema.one(`select * from notification_preferences where user_id = '${person.id}'`)).toEqual({
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
  expect(await schema.refusal(insert)).toBe(violations.unique);
});

test('DATA1-18 bulk_imports: completed_at is empty while processing and set at the end', async () => {
  expect(await schema.columnsOf('bulk_imports')).toEqual(
    expect.arrayContaining(
      words('id filename status total_records successful_records failed_records error_report created_at completed_at'),
    ),
  );
  const coach = await buildCoach(schema.db);
  const item = await schema.one(
    `insert into bulk_imports (filename, total_records, created_by) values ('a.csv', 1, '${coach.id}') returning id, status, completed_at`,
  );
  expect(item).toMatchObject({ status: 'processing', completed_at: null });
  expect(await schema.refusal(`update bulk_imports set status = 'completed' where id = '${item.id}'`)).toBe(
    violations.check,
  );
});

test('what was audited, and what was handed in, can be neither changed nor removed', async () => {
  await schema.run(
    `insert into audit_log (action, subject_type, subject_id) values ('role.change', 'user', '${await schema.newId()}')`,
  );
  await expect(schema.run("update audit_log set action = 'nothing'")).rejects.toThrow('append-only');
  await expect(schema.run('delete from audit_log')).rejects.toThrow('append-only');
  await expect(schema.run('truncate audit_log')).rejects.toThrow('append-only');
  await expect(schema.run('delete from submission_rounds')).rejects.toThrow('append-only');
});
