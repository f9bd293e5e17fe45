import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCohort } from '#contract/cohorts.ts';
import { defaultProgrammeId, specifiedCalendar, specifiedRules } from '#contract/default-programme.ts';
import { payPeriods, periodDays, periodOn, periodsOf } from '#contract/pay-periods.ts';
import { moveCohort } from '#contract/programme-copies.ts';
import { copyProgrammeFacts, listProgrammes, readProgramme, updateProgramme } from '#contract/programmes.ts';
import { moduleNames } from '#contract/specified-modules.ts';
import { RuleSet } from '#contract/stipend-rules.ts';
import { addDays } from '#contract/weeks.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';

let app: TestApp;
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(() => app.close());

test('TIME-06 STIP-31 STIP-33 DATA1-03 the specified program is the first row, with the rules of the contract as version 1', async () => {
  const { programme, published, draft } = await admin.call(readProgramme, { params: { id: defaultProgrammeId } });
  const { weeks, daysPerWeek, zone, payPeriod, holidays } = programme;
  expect({ weeks, daysPerWeek, zone, payPeriod, holidays }).toEqual(specifiedCalendar);
  expect(programme.moduleNames).toEqual(moduleNames);
  expect(programme.audiences.map(({ key }) => key)).toEqual(['fellowship', 'amp', 'fellowship_adjunct', 'ambassador']);
  expect(published.map(({ rules }) => rules)).toEqual([RuleSet.parse(specifiedRules)]);
  expect(draft).toBeNull();
});

test('the days of a stipend are the same in the database and in the contract, whatever the program', async () => {
  const start = fc.integer({ min: 0, max: 3000 }).map((days) => addDays('2024-01-01', days));
  const programmes = fc.record({
    startDay: start,
    weeks: fc.integer({ min: 1, max: 104 }),
    daysPerWeek: fc.integer({ min: 1, max: 7 }),
    payPeriod: fc.constantFrom(...payPeriods),
    after: fc.integer({ min: -30, max: 800 }),
  });
  await fc.assert(
    fc.asyncProperty(programmes, async ({ startDay, after, ...calendar }) => {
      const { weeks, daysPerWeek, payPeriod } = calendar;
      const day = addDays(startDay, after);
      const count = periodsOf(startDay, calendar);
      const { rows } = await sql<{ firstDay: string; lastDay: string }>`
        select period_first_day(${startDay}::date, ${payPeriod}, number) as first_day,
          period_last_day(${startDay}::date, ${payPeriod}, number, ${weeks}, ${daysPerWeek}) as last_day
        from generate_series(1, ${count}::integer) number order by number`.execute(app.db);
      expect(rows).toEqual(Array.from({ length: count }, (_, index) => periodDays(startDay, index + 1, calendar)));
      const on = await sql<{ number: number }>`
        select period_on(${startDay}::date, ${payPeriod}, ${weeks}, ${day}::date) as number`.execute(app.db);
      expect(on.rows[0]?.number).toBe(periodOn(startDay, day, calendar));
      // One begins after the other, and the days between are those that nothing is held on.
      for (const [index, { firstDay }] of rows.entries()) {
        const before = rows[index - 1];
        if (before) expect(firstDay > before.lastDay).toBe(true);
      }
    }),
    { numRuns: sizeOf({ usual: 60, deep: 2000 }) },
  );
});

test('a program is copied once however often it is asked, with its rules as a draft; a taken name is refused', async () => {
  const id = newId();
  const copy = { id, sourceId: defaultProgrammeId, name: `Line Workers ${id}` };
  await admin.call(copyProgrammeFacts, { body: copy });
  await admin.call(copyProgrammeFacts, { body: copy });
  const { programme, published, draft } = await admin.call(readProgramme, { params: { id } });
  expect(programme).toMatchObject({ name: copy.name, weeks: 16, isDefault: false, cohorts: 0 });
  expect(programme.audiences).toHaveLength(4);
  expect(programme.audiences.map(({ key }) => key)).not.toContain('fellowship');
  expect(published).toEqual([]);
  expect(draft?.rules.criteria).toEqual(specifiedRules.criteria);
  const taken = await admin.refused(copyProgrammeFacts, { body: { ...copy, id: newId() } });
  expect(taken.problem).toMatchObject({ code: 'duplicate', errors: [{ path: 'name' }] });
  const { rows } = await admin.call(listProgrammes, { query: { search: `workers ${id}` } });
  expect(rows.map((row) => row.id)).toEqual([id]);
});

async function edited(id: string) {
  const { programme } = await admin.call(readProgramme, { params: { id } });
  const { id: _, isDefault, isArchived, cohorts, version, ...facts } = programme;
  return (changes: Partial<typeof facts>) => ({
    params: { id },
    body: { facts: { ...facts, ...changes }, isArchived, version },
  });
}

test('what weeks were judged by stays, no week in use is cut off, and each mistake is told at its field', async () => {
  const { id } = await buildProgramme(app.db, { weeks: 16 });
  const cohort = await buildCohort(app.db, { programmeId: id });
  await buildStipend(app.db, { cohortId: cohort.id, weekNumber: 12 });
  const edit = await edited(id);
  const errorsOf = async (changes: Parameters<typeof edit>[0]) =>
    (await admin.refused(updateProgramme, edit(changes))).problem.errors?.map(({ path }) => path);
  expect(await errorsOf({ zone: 'America/Nowhere' })).toEqual(['facts.zone']);
  const stays = await admin.refused(updateProgramme, edit({ zone: 'America/Denver' }));
  expect(stays.problem.errors).toEqual([{ path: 'facts.zone', message: 'This stays: 1 stipend was judged by them.' }]);
  expect(await errorsOf({ payPeriod: 'month', weeks: 11 })).toEqual(['facts.payPeriod', 'facts.weeks']);
  expect(await errorsOf({ weeks: 105 })).toEqual(['facts.weeks']);
  expect(await errorsOf({ moduleNames: ['Poles', 'poles'] })).toEqual(['facts.moduleNames.1']);
  await admin.call(updateProgramme, edit({ weeks: 12 }));
  expect((await admin.refused(updateProgramme, edit({ weeks: 13 }))).problem.code).toBe('stale');
});

test('an audience that activities are meant for stays, and what it reaches follows its kinds', async () => {
  const { id } = await buildProgramme(app.db);
  const first = await edited(id);
  const linemen = { key: null, label: 'Line workers', kinds: ['adult_mobilization' as const] };
  await admin.call(updateProgramme, first({ audiences: [linemen] }));
  const { programme } = await admin.call(readProgramme, { params: { id } });
  const key = programme.audiences[0]?.key ?? '';
  const cohort = await buildCohort(app.db, { programmeId: id });
  const activity = await buildActivity(app.db, { cohortId: cohort.id, audiences: [key] });
  const reaches = async () =>
    (await app.db.selectFrom('trainingActivities').select('reaches').where('id', '=', activity.id).executeTakeFirst())
      ?.reaches;
  expect(await reaches()).toEqual(['adult_mobilization']);
  const second = await edited(id);
  const removed = await admin.refused(updateProgramme, second({ audiences: [{ ...linemen, label: 'Others' }] }));
  expect(removed.problem.errors).toEqual([
    { path: 'facts.audiences', message: 'Line workers stays: 1 activity is meant for it.' },
  ]);
  await admin.call(
    updateProgramme,
    second({ audiences: [{ ...linemen, key, kinds: ['fellowship', 'self_learner'] }] }),
  );
  expect(await reaches()).toEqual(['fellowship', 'self_learner']);
});

test('cohorts begin on the weekday of their program', async () => {
  const { id } = await buildProgramme(app.db, { firstWeekday: 3 });
  const body = { name: `Wednesday ${id}`, programType: 'fellowship' as const, capacity: 10, programmeId: id };
  const monday = await admin.refused(createCohort, {
    body: { ...body, startDate: '2027-03-01', endDate: '2027-06-01' },
  });
  const words = 'Cohorts of this program begin on a Wednesday.';
  expect(monday.problem.errors).toEqual([{ path: 'startDate', message: words }]);
  const cohort = await admin.call(createCohort, { body: { ...body, startDate: '2027-03-03', endDate: '2027-06-01' } });
  expect(cohort).toMatchObject({ programme: { id }, calendar: { zone: 'America/New_York' } });
  expect(cohort.programme.kinds).toContainEqual({ kind: 'fellowship', label: 'Fellows' });
  const moved = { startDate: '2027-03-02', movesDates: true, version: cohort.version };
  expect((await admin.refused(moveCohort, { params: { id: cohort.id }, body: moved })).problem.detail).toBe(words);
});
