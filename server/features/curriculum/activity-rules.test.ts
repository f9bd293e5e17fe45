import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActivity, listProgrammeActivities, updateActivity } from '#contract/programme-items.ts';
import { updateTrainingActivity } from '#contract/training-activities.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let admin: Client;
let taught: { id: string };
let finished: { id: string };
beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
  taught = await buildCohort(server.db, { name: 'Taught', startDate: '2025-09-08' });
  finished = await buildCohort(server.db, { name: 'Finished', startDate: '2025-09-08', status: 'completed' });
});
afterAll(() => server.close());

/** Both screens edit these facts. */
const facts = {
  title: 'Grid walk',
  deliveryPartner: 'City College',
  trainingDeliveryMode: 'SME-delivered Hybrid' as const,
  deliveryMedium: 'Hybrid' as const,
  weekNumber: 2,
  location: 'Room 4',
  duration: '2 hours',
  sessionDate: '2025-09-16' as string | null,
  moduleName: 'Case Management' as string | null,
  cohortId: null as string | null,
};
/** Only Programme Setup edits these. */
const others = {
  sessionTime: null,
  durationMinutes: null,
  description: null,
  isRequired: true,
  audiences: ['fellowship'],
};

type Wrong = Partial<Record<keyof typeof facts, unknown>>;

async function refusalsOf(wrong: Wrong, version = 0) {
  const { id } = await buildActivity(server.db);
  const given = { ...facts, ...wrong } as typeof facts;
  const refusals = [
    await admin.refused(updateTrainingActivity, { params: { id }, body: { ...given, version } }),
    await admin.refused(updateActivity, { params: { id }, body: { ...given, ...others, version } }),
  ];
  return { refusals: refusals.map(inShort), given };
}

function inShort({ status, problem: { code, detail, errors } }: Awaited<ReturnType<Client['refused']>>) {
  const [first] = errors ?? [];
  return { status, code, detail, path: first?.path.split('.').at(-1) ?? null, message: first?.message ?? null };
}

test.each<[string, () => Wrong, object]>([
  ['no title', () => ({ title: ' ' }), { path: 'title', message: 'A title is required' }],
  ['a title of 301 letters', () => ({ title: 'x'.repeat(301) }), { path: 'title' }],
  ['no week', () => ({ weekNumber: null }), { path: 'weekNumber' }],
  ['a week before the first', () => ({ weekNumber: 0 }), { path: 'weekNumber' }],
  [
    'a week after the last',
    () => ({ weekNumber: 21 }),
    { path: 'weekNumber', message: 'The week must be a whole number from 1 to 20' },
  ],
  ['a part of a week', () => ({ weekNumber: 2.5 }), { path: 'weekNumber' }],
  ['a partner of 301 letters', () => ({ deliveryPartner: 'x'.repeat(301) }), { path: 'deliveryPartner' }],
  ['an unknown mode', () => ({ trainingDeliveryMode: 'By post' }), { path: 'trainingDeliveryMode' }],
  ['an unknown medium', () => ({ deliveryMedium: 'Radio' }), { path: 'deliveryMedium' }],
  ['a location of 2,001 letters', () => ({ location: 'x'.repeat(2001) }), { path: 'location' }],
  ['a duration of 101 letters', () => ({ duration: 'x'.repeat(101) }), { path: 'duration' }],
  ['a day that is none', () => ({ sessionDate: '2026-02-30' }), { path: 'sessionDate' }],
  [
    'a day of another century',
    () => ({ sessionDate: '1999-12-31' }),
    { path: 'sessionDate', message: 'Choose a day between 2000 and 2099.' },
  ],
  [
    'a day outside its week of the cohort',
    () => ({ cohortId: taught.id, sessionDate: '2025-09-22' }),
    { path: 'sessionDate', message: 'Week 2 of Taught lasts from 2025-09-15 to 2025-09-21.' },
  ],
  [
    'an unknown module',
    () => ({ moduleName: 'Basket weaving' }),
    { path: 'moduleName', message: 'Please choose a module from the list.' },
  ],
  [
    'a cohort that is not there',
    () => ({ cohortId: newId() }),
    { status: 422, path: 'cohortId', message: 'This cohort no longer exists. Please choose another one.' },
  ],
  [
    'a cohort that is over',
    () => ({ cohortId: finished.id }),
    {
      status: 409,
      path: 'cohortId',
      message: 'Finished is completed: activities go to active and planned cohorts only.',
    },
  ],
])('both screens refuse %s in the same words at the same field, an edit as a new one', async (_, wrong, wanted) => {
  const { refusals, given } = await refusalsOf(wrong());
  const added = inShort(await admin.refused(createActivity, { body: { ...given, ...others } }));
  expect(refusals[0]).toMatchObject(wanted);
  expect(refusals[1]).toEqual(refusals[0]);
  expect(added).toEqual(refusals[0]);
});

test('both screens refuse in the same words what was read before somebody else changed it', async () => {
  const { refusals } = await refusalsOf({}, 7);
  expect(refusals[0]).toMatchObject({ code: 'stale' });
  expect(refusals[1]).toEqual(refusals[0]);
});

test.each<[string, object, object]>([
  ['a duration stays as typed', { duration: ' 2 hours ' }, { duration: ' 2 hours ' }],
  ['a duration of spaces is none', { duration: '  ' }, { duration: null }],
  ['what is left empty is none', { location: ' ', deliveryPartner: '' }, { location: null, deliveryPartner: null }],
  ['spaces around a title go', { title: ' Grid walk ' }, { title: 'Grid walk' }],
])('both screens write the same: %s', async (_, change, wanted) => {
  const given = { ...facts, ...change };
  const [byTraining, bySetup] = [await buildActivity(server.db), await buildActivity(server.db)];
  const training = { params: { id: byTraining.id }, body: { ...given, version: 0 } };
  await admin.call(updateTrainingActivity, training);
  await admin.call(updateActivity, { params: { id: bySetup.id }, body: { ...given, ...others, version: 0 } });
  const added = await admin.call(createActivity, { body: { ...given, ...others } });
  for (const id of [byTraining.id, bySetup.id, added.id]) {
    const stored = await server.db.selectFrom('trainingActivities').selectAll().where('id', '=', id).execute();
    expect(stored[0]).toMatchObject({ ...facts, ...wanted });
  }
});

test('what an activity has already may stay: its module, its day, and its cohort that is over', async () => {
  const before = { moduleName: 'A module of its own', sessionDate: '2025-12-01', weekNumber: 2, cohortId: finished.id };
  for (const edit of [
    (id: string) => admin.call(updateTrainingActivity, { params: { id }, body: { ...facts, ...before, version: 0 } }),
    (id: string) =>
      admin.call(updateActivity, { params: { id }, body: { ...facts, ...others, ...before, version: 0 } }),
  ]) {
    const { id } = await buildActivity(server.db, before);
    await edit(id);
    const { rows } = await admin.call(listProgrammeActivities, { query: { id } });
    expect(rows[0]).toMatchObject({ ...before, title: facts.title, version: 1 });
  }
});
