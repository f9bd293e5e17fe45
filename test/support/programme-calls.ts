import { specifiedRules } from '#contract/default-programme.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '../factories/cohorts.ts';
import { buildActivity } from '../factories/curriculum.ts';
import { buildParticipant } from '../factories/people.ts';
import { buildProgramme } from '../factories/programmes.ts';
import type { TestApp } from './app.ts';
import type { MakeCall } from './made-call.ts';
import type { Sample } from './sample-body.ts';

const { version: _, ...rules } = specifiedRules;
const fromDay = '2027-03-01';

/** Calls on programmes and their rules that succeed. */
export const callsOnProgrammes: Record<string, MakeCall> = {
  copyProgrammeFacts: async ({ db }) => ({
    body: { id: newId(), sourceId: (await buildProgramme(db)).id, name: `Copy ${newId()}` },
  }),
  updateProgramme: async ({ db }) => ({
    params: { id: (await buildProgramme(db)).id },
    body: { facts: programmeFacts(), isArchived: false, version: 1 },
  }),
  saveRuleDraft: async ({ db }) => ({
    params: { id: (await buildProgramme(db)).id },
    body: { rules: rules as unknown as Sample, edition: null },
  }),
  discardRuleDraft: async ({ db }) => ({ params: { id: await programmeWithDraft(db) } }),
  publishRules: async ({ db }) => ({ params: { id: await programmeWithDraft(db) }, body: { edition: 1, fromDay } }),
  excuseAbsence: async ({ db }) => ({ params: await absence(db), body: { reason: 'Was at the doctor' } }),
  takeExcuseBack: async ({ db }, admin) => {
    const params = await absence(db);
    await db
      .insertInto('excusedAbsences')
      .values({ ...params, reason: 'Was at the doctor', excusedBy: admin.id })
      .execute();
    return { params };
  },
};

/** It succeeds and writes nothing. */
export const tryRulesCall: MakeCall = async ({ db }) => {
  const { id } = await buildProgramme(db);
  const cohort = await buildCohort(db, { programmeId: id });
  return { params: { id }, body: { rules: rules as unknown as Sample, cohortId: cohort.id, weekNumber: 1 } };
};

/** A programme like the specified one, under a name of its own. */
export function programmeFacts(): Record<string, Sample> {
  return {
    ...{ name: `Program ${newId()}`, weeks: 20, firstWeekday: null, daysPerWeek: 5, zone: 'America/Denver' },
    ...{ payPeriod: 'two_weeks', holidays: { federal: true, own: [], marked: [] }, paidKinds: ['fellowship'] },
    kindLabels: { fellowship: 'Fellows', adult_mobilization: 'Adults', self_learner: 'Learners' },
    ...{ audiences: [{ key: null, label: 'Everybody', kinds: ['fellowship'] }], moduleNames: ['Poles'] },
  };
}

async function programmeWithDraft(db: TestApp['db']): Promise<string> {
  const { id } = await buildProgramme(db);
  await db
    .insertInto('ruleSets')
    .values({ programmeId: id, version: 2, rules: JSON.stringify({ ...specifiedRules, version: 2 }) })
    .execute();
  return id;
}

async function absence(db: TestApp['db']) {
  const [participant, cohort] = [await buildParticipant(db), await buildCohort(db)];
  await enrol(db, { cohortId: cohort.id, participantId: participant.id });
  const activity = await buildActivity(db, { cohortId: cohort.id });
  return { activityId: activity.id, participantId: participant.id };
}
