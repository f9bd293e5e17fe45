import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, easternDay } from '#contract/weeks.ts';
import { assignCoach, buildCohort } from './factories/cohorts.ts';
import { buildAdmin, buildCoach } from './factories/people.ts';
import { judgedWeek } from './factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from './support/app.ts';
import { countBlocksRead } from './support/blocks-read.ts';
import { readContract } from './support/contract.ts';
import { isDeep } from './support/depth.ts';

const membersOfCohort = 20;
const others = { before: 9, between: 90 };

const nearestOfAll = 'It chooses the nearest of all activities.';
const namesAll = 'It names all cohorts or people, and counts what each has.';
/** What these show is of the whole programme, and grows with it. */
const ofWholeProgramme: Record<string, string> = {
  'coach /api/training-calendar': nearestOfAll,
  'admin /api/training-calendar': nearestOfAll,
  'admin /api/audit-log/export': 'It is the whole record.',
  'admin /api/audit-log/people': namesAll,
  'admin /api/cohorts': namesAll,
  'admin /api/messages/contacts': namesAll,
  'admin /api/stipends/cohorts': namesAll,
  'admin /api/training-activities': 'It counts all activities.',
  'admin /api/training-activities/cohorts': namesAll,
  'admin /api/dashboards/admin': 'It counts the whole programme.',
};
const startDate = addDays(easternDay(new Date()), -5 * 7);

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('what is one’s own, and one page of a list, costs the same among several times as many people', async () => {
  const ownCohort = await addCohorts(1);
  const { rows: own } = await sql<{ id: string }>`
    select participant_id as id from cohort_participants where cohort_id = ${ownCohort} order by 1 limit 5`.execute(
    server.db,
  );
  const coach = await buildCoach(server.db);
  for (const { id } of own) await assignCoach(server.db, { participantId: id, coachId: coach.id });
  const [ofCoach, ofParticipant, ofAdmin] = await Promise.all([
    server.as(coach),
    server.as(own[0] ?? coach),
    server.as(await buildAdmin(server.db)),
  ]);
  const person = own[0]?.id ?? '';
  const { rows: work } = await sql<{ activity: string; assignment: string }>`
    select activity.id as activity, assignment.id as assignment from training_activities activity
    join content_items item on item.training_activity_id = activity.id
    join content_assignments assignment on assignment.content_item_id = item.id
    where cohort_id = ${ownCohort} order by week_number limit 1`.execute(server.db);
  const ofDashboards = ['coach', 'participant'].map((role) => `/api/dashboards/${role}`);
  const usual = [
    ...ofDashboards,
    '/api/coach/participants',
    '/api/submissions',
    `/api/stipends?week=5&cohort=${ownCohort}`,
  ];
  const all = [
    ...(await addressesWithoutPlace()),
    `/api/activities/${work[0]?.activity}`,
    `/api/activities/${work[0]?.activity}/content`,
    `/api/activities/${work[0]?.activity}/attendance`,
    `/api/assignments/${work[0]?.assignment}`,
    `/api/cohort-progress/${ownCohort}/members/${person}`,
    `/api/cohorts/${ownCohort}/members`,
    `/api/users/${person}`,
    `/api/users/${person}/stipends`,
    ...usual,
  ];
  const places = isDeep ? [...new Set(all)] : usual;
  const clients: [string, Client][] = Object.entries({ coach: ofCoach, participant: ofParticipant, admin: ofAdmin });
  const blocksOfEach = async () => {
    await sql`vacuum analyze`.execute(server.db);
    const found: Record<string, number> = {};
    for (const [role, client] of clients) {
      for (const place of places) {
        if (`${role} ${place}` in ofWholeProgramme) continue;
        let isAnswered = false;
        const blocks = await countBlocksRead(server, async () => {
          isAnswered = (await client.fetch(place)).ok;
        });
        if (isAnswered) found[`${role} ${place}`] = blocks;
      }
    }
    return found;
  };

  await addCohorts(others.before);
  const before = await blocksOfEach();
  await addCohorts(others.between);
  const after = await blocksOfEach();

  // An index may be a level deeper.
  const grown = Object.entries(after).filter(([name, blocks]) => blocks > 1.6 * (before[name] ?? 0) + 20);
  expect(grown.map(([name, blocks]) => `${name}: ${before[name]} blocks, then ${blocks}`)).toEqual([]);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(Object.keys(after)).toEqual(
    expect.arrayContaining([
      'coach /api/dashboards/coach',
      'coach /api/coach/participants',
      'participant /api/submissions',
    ]),
  );
});

/** Of reads that need no id. A list shows its first page. */
async function addressesWithoutPlace(): Promise<string[]> {
  const endpoints = (await readContract()).filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  return endpoints.map(({ path }) => path).filter((path) => !path.startsWith('/api/live'));
}

/** Each has its members, two activities with work in each week, attendance, submissions, and stipends of a week. */
async function addCohorts(count: number): Promise<string> {
  const { db } = server;
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await buildCohort(db, { startDate, status: 'active' })).id);
  const added = sql`unnest(${ids}::uuid[]) as added(id)`;
  await sql`
    with made as (
      insert into auth."user" (name, email, email_verified, first_name, last_name)
      select 'Member', 'member-' || n || '-' || added.id || '@people.example', true, 'Member', added.id || ' ' || n
      from ${added}, generate_series(1, ${membersOfCohort}::integer) n
      returning id, email, first_name, last_name
    ), people as (
      insert into profiles (id, email, first_name, last_name, role, track_type)
      select id, email, first_name, last_name, 'participant', 'fellowship' from made returning id, last_name
    )
    insert into cohort_participants (cohort_id, participant_id, enrolled_at)
    select split_part(last_name, ' ', 1)::uuid, id, ${startDate}::date from people`.execute(db);
  await sql`
    with activity as (
      insert into training_activities (cohort_id, title, week_number, session_date, applicable_fellowship)
      select added.id, 'Session ' || n, week, ${startDate}::date + (week - 1) * 7 + n, true
      from ${added}, generate_series(1, 16) week, generate_series(1, 2) n
      returning id, session_date
    ), item as (
      insert into content_items (training_activity_id, title, content_type, due_date)
      select id, 'Work', 'assignment', session_date + 2 from activity returning id
    )
    insert into content_assignments (content_item_id, title, instructions) select id, 'Task', 'Do it.' from item`.execute(
    db,
  );
  await sql`
    insert into attendance_records (fellow_id, cohort_id, content_id, week_number)
    select participant_id, cohort_id, activity.id, activity.week_number
    from cohort_participants join training_activities activity using (cohort_id)
    where cohort_id = any(${ids}::uuid[]) and activity.week_number < 6`.execute(db);
  await sql`
    insert into content_submissions (assignment_id, user_id, submission_text)
    select assignment.id, participant_id, 'Done'
    from cohort_participants
    join training_activities activity using (cohort_id)
    join content_items item on item.training_activity_id = activity.id
    join content_assignments assignment on assignment.content_item_id = item.id
    where cohort_id = any(${ids}::uuid[]) and activity.week_number < 6`.execute(db);
  const judged = judgedWeek();
  await sql`
    insert into stipend_eligibility (fellow_id, cohort_id, week_number, criteria, rules_version, attendance_percentage,
      performance_rating, activities_total, activities_accessed, assignments_total, assignments_submitted)
    select participant_id, cohort_id, week, ${judged.criteria}::jsonb, 1, 100, 4, 2, 2, 2, 2
    from cohort_participants, generate_series(1, 5) week where cohort_id = any(${ids}::uuid[])`.execute(db);
  return ids[0] ?? '';
}
