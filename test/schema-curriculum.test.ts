import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryMedia, deliveryModes } from '#contract/learning.ts';
import { moduleNames } from '#contract/specified-modules.ts';
import { buildCohort } from './factories/cohorts.ts';
import { buildActivity, buildContentItem } from './factories/curriculum.ts';
import { buildCoach, buildParticipant } from './factories/people.ts';
import { buildResource } from './factories/resources.ts';
import { buildStoredFile } from './factories/stored-files.ts';
import { openSchema, type Schema, violations, words } from './support/schema.ts';

let schema: Schema;
beforeAll(async () => {
  schema = await openSchema();
});
afterAll(() => schema.leave());

test('DATA-09 DATA1-02 training_activities holds schedule, delivery, module and the four programmes', async () => {
  expect(await schema.columnsOf('training_activities')).toEqual(
    expect.arrayContaining(
      words(`id title week_number session_date duration duration_minutes location delivery_partner delivery_medium
        training_delivery_mode description sharepoint_id module_name applicable_fellowship applicable_amp
        applicable_fellowship_adjunct applicable_ambassador cohort_id created_at`),
    ),
  );
  const activity = await buildActivity(schema.db, { duration: '2 hours' });
  expect(activity.duration).toBe('2 hours');
  expect(await schema.refusal(`update training_activities set week_number = 109 where id = '${activity.id}'`)).toBe(
    violations.check,
  );
  expect(
    await schema.refusal(`update training_activities set delivery_medium = 'Pigeon' where id = '${activity.id}'`),
  ).toBe(violations.check);
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
  for (const trainingDeliveryMode of deliveryModes) await buildActivity(schema.db, { trainingDeliveryMode });
  for (const deliveryMedium of deliveryMedia) await buildActivity(schema.db, { deliveryMedium });
});

test('DATA-10 DATA1-06 content_items: every type is stored, with order, minutes and required', async () => {
  expect(await schema.columnsOf('content_items')).toEqual(
    expect.arrayContaining(
      words(
        'id training_activity_id title description content_type content_url content_text order_index estimated_minutes is_required due_date',
      ),
    ),
  );
  const activity = await buildActivity(schema.db);
  for (const contentType of words('reading video assignment link_task certificate quiz project')) {
    await buildContentItem(schema.db, { trainingActivityId: activity.id, contentType });
  }
  expect(
    await schema.refusal(
      `insert into content_items (training_activity_id, title, content_type) values ('${activity.id}', 'X', 'dance')`,
    ),
  ).toBe(violations.check);
  expect(
    await schema.refusal(
      `insert into content_items (training_activity_id, title, order_index) values ('${activity.id}', 'X', 0)`,
    ),
  ).toBe(violations.check);
});

test('CONT-15 the address of a content is one of the web, no matter who writes it', async () => {
  const { id } = await buildActivity(schema.db);
  const withUrl = (url: string) =>
    `insert into content_items (training_activity_id, title, content_url) values ('${id}', 'X', '${url}')`;
  await schema.run(withUrl('https://example.org/a'));
  for (const url of ['javascript:alert(1)', '//server/share/manual.pdf']) {
    expect(await schema.refusal(withUrl(url))).toBe(violations.check);
  }
});

test('DATA-11 DATA1-07 content_assignments: every type is stored, 100 points unless said otherwise', async () => {
  expect(await schema.columnsOf('content_assignments')).toEqual(
    expect.arrayContaining(
      words('id content_item_id title instructions assignment_type due_date is_required max_points'),
    ),
  );
  const item = await someItem();
  for (const type of words(
    'written_response project_submission upload_certificate link_task read_material watch_video',
  )) {
    await schema.run(
      `insert into content_assignments (content_item_id, title, instructions, assignment_type) values ('${item.id}', 'X', 'Y', '${type}')`,
    );
  }
  expect(
    await schema.one(`select distinct max_points from content_assignments where content_item_id = '${item.id}'`),
  ).toEqual({ max_points: 100 });
});

test('DATA-16 DATA-17 tracks and modules: a specialization module belongs to a track, a core module to none, and there is no third type', async () => {
  expect(await schema.columnsOf('specialization_tracks')).toEqual(
    words('id name description duration_weeks is_active version'),
  );
  expect(await schema.columnsOf('course_modules')).toEqual(
    expect.arrayContaining(words('id title module_type specialization_track_id curriculum_version')),
  );
  expect(await schema.refusal("insert into course_modules (title, module_type) values ('X', 'specialization')")).toBe(
    violations.check,
  );
  const track = await schema.one(
    "insert into specialization_tracks (name, description) values ('Solar', 'Panels') returning id, name, description, duration_weeks, is_active",
  );
  expect(track).toMatchObject({ name: 'Solar', description: 'Panels', duration_weeks: 4, is_active: true });
  const add = (type: string) =>
    `insert into course_modules (title, module_type, specialization_track_id) values ('X', '${type}', '${track.id}')`;
  await schema.run(add('specialization'));
  expect(
    await schema.one(
      `select module_type, curriculum_version, name from course_modules join specialization_tracks track
      on track.id = specialization_track_id where track.id = '${track.id}'`,
    ),
  ).toEqual({ module_type: 'specialization', curriculum_version: '1', name: 'Solar' });
  for (const type of ['core', 'elective']) expect(await schema.refusal(add(type))).toBe(violations.check);
  expect(await schema.refusal("insert into course_modules (title, module_type) values ('X', 'elective')")).toBe(
    violations.check,
  );
  await schema.run("insert into course_modules (title, module_type) values ('Safety', 'core')");
  expect(await schema.refusal("insert into course_modules (title, module_type) values ('Safety', 'core')")).toBe(
    violations.unique,
  );
});

test('DATA-23 weekly_requirements: what a cohort owes and when', async () => {
  expect(await schema.columnsOf('weekly_requirements')).toEqual(
    expect.arrayContaining(words('cohort_id title type due_date')),
  );
  const cohort = await buildCohort(schema.db);
  expect(
    await schema.one(`insert into weekly_requirements (cohort_id, title, type, due_date)
      values ('${cohort.id}', 'Weekly report', 'report', '2026-01-09') returning cohort_id, title, type, due_date::text`),
  ).toEqual({ cohort_id: cohort.id, title: 'Weekly report', type: 'report', due_date: '2026-01-09' });
  expect(
    await schema.refusal(`insert into weekly_requirements (cohort_id, title, type, due_date)
      values ('${await schema.newId()}', 'Weekly report', 'report', '2026-01-09')`),
  ).toBe(violations.foreignKey);
});

test('DATA1-15 resources: three kinds for three programmes, with the creator by uploaded_by', async () => {
  expect(await schema.columnsOf('resources')).toEqual(
    expect.arrayContaining(
      words('id title description file_type file_url course_module program uploaded_by created_at'),
    ),
  );
  const coach = await buildCoach(schema.db);
  await schema.run(
    `insert into resources (title, file_url, uploaded_by) values ('Slides', 'https://files.example/1', '${coach.id}')`,
  );
  const stored = await schema.one(
    `select file_type, program, description, course_module, resources.created_at, first_name, last_name
    from resources join profiles on profiles.id = uploaded_by where title = 'Slides'`,
  );
  expect(stored).toEqual({
    file_type: 'material',
    program: 'fellowship',
    description: null,
    course_module: null,
    created_at: expect.any(Date),
    first_name: coach.firstName,
    last_name: coach.lastName,
  });
  const kinds = words('recording slide material');
  const programs = words('fellowship adult_mobilization self_learner');
  for (const fileType of kinds) {
    for (const program of programs) {
      const facts = { fileType, program, description: 'Long', courseModule: 'Safety', uploadedBy: coach.id };
      expect(await buildResource(schema.db, facts)).toMatchObject(facts);
    }
  }
  expect(
    await schema.refusal("insert into resources (title, file_url, program) values ('X', 'https://x.example', 'other')"),
  ).toBe(violations.check);
  expect(
    await schema.refusal(
      "insert into resources (title, file_url, file_type) values ('X', 'https://x.example', 'song')",
    ),
  ).toBe(violations.check);
});

test('DATA1-16 user_files: one record a stored file', async () => {
  expect(await schema.columnsOf('user_files')).toEqual(
    words('id user_id file_path display_name size mime_type upload_date'),
  );
  const person = await buildParticipant(schema.db);
  const file = await buildStoredFile(schema.db, { ownerId: person.id, area: 'my_files' });
  const insert = `insert into user_files (user_id, file_path, display_name, size, mime_type) values ('${person.id}', '${file.path}', 'a.pdf', 10, 'application/pdf')`;
  await schema.run(insert);
  expect(await schema.refusal(insert)).toBe(violations.unique);
});

async function someItem() {
  const activity = await buildActivity(schema.db);
  return buildContentItem(schema.db, { trainingActivityId: activity.id });
}
