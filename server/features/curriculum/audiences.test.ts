import { afterAll, beforeAll, expect, test } from 'vitest';
import { readActivity, readTrainingCalendar } from '#contract/learning.ts';
import { createActivity, listProgrammeActivities, updateActivity } from '#contract/programme-items.ts';
import { listActivityCohorts } from '#contract/training-activities.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(() => app.close());

const facts = {
  ...{ title: 'Climbing', weekNumber: 1, sessionDate: null, sessionTime: null, duration: null, durationMinutes: 60 },
  ...{ moduleName: 'Poles', deliveryMedium: null, trainingDeliveryMode: null, deliveryPartner: null, location: null },
  ...{ description: null, isRequired: true },
};

/** A program with a module name and two audiences of its own, beside the one that every built program has. */
async function lineWork() {
  const { id: programmeId, name } = await buildProgramme(app.db, { moduleNames: ['Poles'] });
  const made = await app.db
    .insertInto('programmeAudiences')
    .values([
      { programmeId, label: 'Apprentices', kinds: ['adult_mobilization'], place: 2 },
      { programmeId, label: 'Visitors', kinds: [], place: 3 },
    ])
    .returning(['key', 'label'])
    .execute();
  const keyOf = (label: string) => made.find((one) => one.label === label)?.key ?? '';
  const cohort = await buildCohort(app.db, { programmeId });
  return { programmeId, name, cohort, apprentices: keyOf('Apprentices'), visitors: keyOf('Visitors') };
}

test('an activity of another program is for that program’s own audiences, and reaches whom they reach', async () => {
  const { cohort, apprentices, visitors } = await lineWork();
  const body = { ...facts, cohortId: cohort.id, audiences: [apprentices, visitors] };
  const { id } = await admin.call(createActivity, { body });
  const [apprentice, fellow] = [
    await buildParticipant(app.db, { trackType: 'adult_mobilization' }),
    await buildParticipant(app.db, { trackType: 'fellowship' }),
  ];
  for (const { id: participantId } of [apprentice, fellow]) await enrol(app.db, { cohortId: cohort.id, participantId });
  const idsOf = async (person: typeof fellow) =>
    (await (await app.as(person)).call(readTrainingCalendar, { query: {} })).activities.map((one) => one.id);
  expect(await idsOf(apprentice)).toEqual([id]);
  expect(await idsOf(fellow)).toEqual([]);

  const shownTo = async (reader: Client) => (await reader.call(readActivity, { params: { id } })).audiences;
  expect(await shownTo(admin)).toEqual([
    { key: apprentices, label: 'Apprentices' },
    { key: visitors, label: 'Visitors' },
  ]);
  expect(await shownTo(await app.as(await buildCoach(app.db, { trackType: null })))).toEqual([
    { key: apprentices, label: 'Apprentices' },
  ]);
  expect(await shownTo(await app.as(apprentice))).toEqual([]);
  const { rows } = await admin.call(listProgrammeActivities, { query: { id } });
  expect(rows[0]).toMatchObject({ audiences: [apprentices, visitors] });
});

test('an audience of another program is refused at its field, and one that an activity has already may stay', async () => {
  const [own, other] = [await lineWork(), await lineWork()];
  const body = { ...facts, cohortId: own.cohort.id, audiences: [other.apprentices] };
  const refusal = { path: 'audiences', message: 'Please choose whom it is for, in this program.' };
  expect((await admin.refused(createActivity, { body })).problem.errors).toEqual([refusal]);
  const unknown = { ...body, audiences: ['nobody'] };
  expect((await admin.refused(createActivity, { body: unknown })).problem.errors).toEqual([refusal]);

  const moved = await buildActivity(app.db, {
    ...{ cohortId: own.cohort.id, audiences: [other.apprentices], moduleName: 'Poles', applicableFellowship: false },
  });
  const edit = { params: { id: moved.id }, body: { ...body, version: moved.calendarSequence } };
  await admin.call(updateActivity, edit);
  const { rows } = await admin.call(listProgrammeActivities, { query: { id: moved.id } });
  expect(rows[0]?.audiences).toEqual([other.apprentices]);
});

test('an admin filters the calendar by an audience of any program, and the forms know which program each is of', async () => {
  const { programmeId, name, cohort, apprentices } = await lineWork();
  const { id } = await admin.call(createActivity, {
    body: { ...facts, cohortId: cohort.id, audiences: [apprentices] },
  });
  const found = await admin.call(readTrainingCalendar, { query: { programme: apprentices } });
  expect(found.activities.map((one) => one.id)).toEqual([id]);
  expect(found.audiences.slice(0, 2).map(({ label }) => label)).toEqual(['Fellowship', 'Adult Mobilization (AMP)']);
  expect(found.audiences).toContainEqual({ key: apprentices, label: `Apprentices · ${name}` });
  expect(found.modules).toContain('Poles');
  const choices = await admin.call(listActivityCohorts);
  expect(choices.audiences).toContainEqual({ key: apprentices, label: 'Apprentices', programmeId });
  expect(choices.cohorts.find((one) => one.id === cohort.id)?.programmeId).toBe(programmeId);

  const member = await buildParticipant(app.db, { trackType: 'adult_mobilization' });
  await enrol(app.db, { cohortId: cohort.id, participantId: member.id });
  const own = await (await app.as(member)).call(readTrainingCalendar, { query: {} });
  expect([own.audiences, own.modules]).toEqual([[], ['Poles']]);
});
