import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMetrics } from '#contract/operations.ts';
import { assignCoach } from './factories/cohorts.ts';
import { buildAdmin, buildCoach } from './factories/people.ts';
import { type Client, startTestApp, type TestApp } from './support/app.ts';
import { countBlocksRead } from './support/blocks-read.ts';
import { readContract } from './support/contract.ts';
import { isDeep } from './support/depth.ts';
import { addCohorts } from './support/many-cohorts.ts';

const others = { before: 60, between: 240 };

const nearestOfAll = 'It chooses the nearest of all activities.';
const namesAll = 'It names all cohorts or people, and counts what each has.';
/** What these show is of the whole programme, and grows with it. */
const ofWholeProgramme: Record<string, string> = {
  'coach /api/training-calendar': nearestOfAll,
  'admin /api/training-calendar': nearestOfAll,
  'admin /api/audit-log/export': 'It is the whole record.',
  'admin /api/users/export': 'It is everybody.',
  'admin /api/audit-log/people': namesAll,
  'admin /api/cohorts': namesAll,
  'admin /api/messages/contacts': namesAll,
  'admin /api/stipends/cohorts': namesAll,
  'admin /api/training-activities': 'It counts all activities.',
  'admin /api/training-activities/cohorts': namesAll,
  'admin /api/dashboards/admin': 'It counts the whole programme.',
  'admin /api/figures/cohort-standings': 'It counts the people of all running cohorts.',
  'admin /api/figures/waiting': 'It names all weeks that wait.',
};

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('what is one’s own, and one page of a list, costs the same among several times as many people', async () => {
  const ownCohort = await addCohorts(server.app.patientDb, 1);
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
    '/api/coach/weeks',
    '/api/figures/cohort-standings',
    `/api/figures/cohorts/${ownCohort}/weeks`,
    `/api/figures/cohorts/${ownCohort}/completion`,
    '/api/submissions',
    `/api/stipends?week=5&cohort=${ownCohort}`,
    `/api/cohort-progress/${ownCohort}`,
    `/api/cohorts/${ownCohort}/members`,
  ];
  const all = [
    ...(await addressesWithoutPlace()),
    `/api/activities/${work[0]?.activity}`,
    `/api/activities/${work[0]?.activity}/content`,
    `/api/activities/${work[0]?.activity}/attendance`,
    `/api/assignments/${work[0]?.assignment}`,
    `/api/cohort-progress/${ownCohort}/members/${person}`,
    `/api/users/${person}`,
    `/api/users/${person}/stipends`,
    `/api/people/${person}`,
    `/api/people/${person}/history`,
    `/api/people/${person}/notes`,
    ...usual,
  ];
  const places = isDeep ? [...new Set(all)] : usual;
  const clients: [string, Client][] = Object.entries({ coach: ofCoach, participant: ofParticipant, admin: ofAdmin });
  const blocksOfEach = async () => {
    await sql`vacuum analyze`.execute(server.app.patientDb);
    const found: Record<string, number> = {};
    for (const [role, client] of clients) {
      for (const place of places) {
        if (`${role} ${place}` in ofWholeProgramme) continue;
        let isAnswered = false;
        const blocks = await countBlocksRead(server, async () => {
          const answer = await client.fetch(place);
          isAnswered = answer.ok;
          // A stream sends statements for as long as it is read.
          await answer.arrayBuffer();
        });
        if (isAnswered) found[`${role} ${place}`] = blocks;
      }
    }
    return found;
  };

  await addCohorts(server.app.patientDb, others.before);
  const before = await blocksOfEach();
  await addCohorts(server.app.patientDb, others.between);
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

/** Of reads that need no id. A list shows its first page. The metrics read the database now and then, whoever asks. */
async function addressesWithoutPlace(): Promise<string[]> {
  const endpoints = (await readContract()).filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  const left = ['/api/live', readMetrics.path];
  return endpoints.map(({ path }) => path).filter((path) => !left.some((one) => path.startsWith(one)));
}
