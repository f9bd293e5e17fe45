import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { readParticipantDashboard } from '#contract/home.ts';
import { listNotices } from '#contract/notices.ts';
import { handOverWeek } from '#contract/payments.ts';
import { listPersonHistory } from '#contract/people.ts';
import {
  excuseAbsence,
  publishRules,
  type RuleDraft,
  readProgramme,
  readPublicationEffect,
  saveRuleDraft,
  takeExcuseBack,
  tryRules,
} from '#contract/programmes.ts';
import { answerStipendQuestion, askAboutStipend } from '#contract/stipend-questions.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import { approveStipend, listStipends, processStipends } from '#contract/stipends.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { attend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let app: TestApp;
let restoreClock = () => {};

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => restoreClock());

const rules: RuleDraft = {
  name: 'Hours and presence',
  criteria: [
    { name: 'Hours', fact: 'hoursAttended', limit: 30 },
    { name: 'Presence', fact: 'unexcusedAbsences', limit: 0 },
  ],
  amounts: {
    ...{ perPeriodCents: 40_000, perDayCents: 0, perHourCents: 0, perTripCents: 5_000 },
    ...{ isProratedByDays: false, isProratedByAttendance: false, capCents: null },
  },
};

/** 26 weeks from a Wednesday on in Denver, paid every two weeks. */
const lineWorkers = {
  ...{ weeks: 26, firstWeekday: 3, daysPerWeek: 7, zone: 'America/Denver', payPeriod: 'two_weeks' },
  rules: { ...specifiedRules, ...rules },
};

/**
 * Two participants in the second pay period, the weeks 3 and 4, with four activities of eight hours, one of them in
 * person. Ana attended all. Ben missed the last one.
 */
async function secondPeriod(programme: Parameters<typeof buildProgramme>[1] = lineWorkers) {
  // Sunday of week 5, still the third pay period.
  restoreClock = stopClockAt('2026-09-06T18:00:00Z');
  const { id: programmeId } = await buildProgramme(app.db, programme);
  const cohort = await buildCohort(app.db, { programmeId, startDate: '2026-08-05', endDate: '2027-02-02' });
  const coach = await buildCoach(app.db);
  const [ana, ben] = [await buildParticipant(app.db), await buildParticipant(app.db)];
  for (const { id } of [ana, ben]) await enrol(app.db, { cohortId: cohort.id, participantId: id, coachId: coach.id });
  const held = async (weekNumber: number, sessionDate: string, deliveryMedium = 'Online') =>
    buildActivity(app.db, { cohortId: cohort.id, weekNumber, sessionDate, deliveryMedium, durationMinutes: 480 });
  const activities = [
    await held(3, '2026-08-19', 'In-person'),
    await held(3, '2026-08-25'),
    await held(4, '2026-08-26'),
    await held(4, '2026-09-01'),
  ];
  await attend(app.db, ana.id, activities);
  await attend(app.db, ben.id, activities.slice(0, 3));
  const admin = await app.as(await buildAdmin(app.db));
  return { programmeId, cohort, coach, ana, ben, activities, admin, missed: activities[3]?.id ?? '' };
}

test('two weeks are judged, explained, approved and handed over by the rules and the days of another program', async () => {
  const { cohort, ana, ben, admin, missed, coach } = await secondPeriod();
  const week = { weekNumber: 2, cohortId: cohort.id };
  await admin.call(processStipends, { body: week });
  const rowOf = async (person: { id: string }) => {
    const { rows } = await admin.call(listStipends, { query: { week: 2, cohort: cohort.id } });
    const row = rows.find(({ fellowId }) => fellowId === person.id);
    if (!row) throw new Error('There is no such row.');
    return row;
  };
  expect(await rowOf(ana)).toMatchObject({
    ...{ payPeriod: 'two_weeks', firstDay: '2026-08-19', lastDay: '2026-09-01', today: '2026-09-06' },
    ...{ overallEligible: true, amountCents: 45_000, ruleAmountCents: 45_000 },
    amountLines: [
      { name: 'Period', count: null, cents: 40_000 },
      { name: 'Trips', count: 1, cents: 5_000 },
    ],
  });
  expect((await rowOf(ben)).criteria).toMatchObject([
    { isMet: false, reason: '24 hours attended, 30 needed', stillNeeded: ['6 more hours'] },
    { isMet: false, reason: '3 of 4 activities attended or excused, 4 needed' },
  ]);

  const asBen = await app.as(ben);
  const own = await asBen.call(listOwnStipendWeeks, { query: {} });
  expect(own.rows.map(({ weekNumber, firstDay }) => [weekNumber, firstDay])).toEqual([
    [3, '2026-09-02'],
    [2, '2026-08-19'],
    [1, '2026-08-05'],
  ]);
  expect(own.rules?.criteria).toEqual(rules.criteria);
  const { stipend } = await asBen.call(readParticipantDashboard);
  expect(stipend?.present).toMatchObject({ weekNumber: 3, payPeriod: 'two_weeks', firstDay: '2026-09-02' });

  const params = { activityId: missed, participantId: ben.id };
  const asCoach = await app.as(coach);
  await asCoach.call(excuseAbsence, { params, body: { reason: 'Was at the doctor' } });
  expect((await rowOf(ben)).criteria).toMatchObject([{ isMet: false }, { isMet: true }]);
  await asCoach.call(takeExcuseBack, { params });
  expect((await rowOf(ben)).criteria).toMatchObject([{ isMet: false }, { isMet: false }]);

  const { id, version } = await rowOf(ana);
  await admin.call(approveStipend, { params: { id }, body: { version } });
  const sent = await admin.call(handOverWeek, { body: week });
  expect(sent).toMatchObject({ recipients: 1 });
  const batches = app.db.selectFrom('stipendHandovers').select(['weekNumber', 'totalCents']);
  expect(await batches.where('cohortId', '=', cohort.id).execute()).toEqual([{ weekNumber: 2, totalCents: 45_000 }]);
});

test('what is told of a question, and the history of a person, name the two weeks that a stipend pays for', async () => {
  const { cohort, ana, admin } = await secondPeriod();
  const week = { weekNumber: 2, cohortId: cohort.id };
  await admin.call(processStipends, { body: week });
  const [row] = (await admin.call(listStipends, { query: { week: 2, cohort: cohort.id, search: ana.email } })).rows;
  if (!row) throw new Error('There is no such row.');
  await admin.call(approveStipend, { params: { id: row.id }, body: { version: row.version } });
  const asAna = await app.as(ana);
  const { id } = await asAna.call(askAboutStipend, { body: { ...week, question: 'Which trip is paid?' } });
  await admin.call(answerStipendQuestion, { params: { id }, body: { closes: false, answer: 'The one to the yard.' } });
  const { rows: told } = await asAna.call(listNotices, { query: {} });
  expect(told.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Your question about weeks 3 and 4 was answered', 'Stipend of weeks 3 and 4 approved']),
  );
  const { rows: history } = await admin.call(listPersonHistory, { params: { id: ana.id }, query: { part: 'pay' } });
  expect(history.map(({ happened }) => happened)).toEqual([
    { kind: 'approved', weekNumber: 2, payPeriod: 'two_weeks', firstDay: '2026-08-19', amountCents: 45_000 },
  ]);
});

test('a draft is tried on a past period, in numbers and by person, and changes nothing before it is published', async () => {
  const { programmeId, cohort, ben, admin } = await secondPeriod();
  await admin.call(processStipends, { body: { weekNumber: 2, cohortId: cohort.id } });
  const params = { id: programmeId };
  const easier = { ...rules, criteria: [{ name: 'Hours', fact: 'hoursAttended' as const, limit: 24 }] };
  const trial = await admin.call(tryRules, {
    params,
    body: { rules: easier, cohortId: cohort.id, weekNumber: 2 },
  });
  expect(trial).toMatchObject({
    ...{ people: 2, changing: 1, before: { eligible: 1, cents: 45_000 }, after: { eligible: 2, cents: 90_000 } },
    rows: [
      {
        participantId: ben.id,
        before: { isEligible: false, cents: 0 },
        after: { isEligible: true, cents: 45_000 },
        reasons: ['Hours: 24 hours attended'],
      },
    ],
  });
  const early = { rules: easier, cohortId: cohort.id, weekNumber: 9 };
  expect((await admin.refused(tryRules, { params, body: early })).problem.errors?.[0]?.path).toBe('weekNumber');

  const { edition } = await admin.call(saveRuleDraft, { params, body: { rules: easier, edition: null } });
  expect((await admin.refused(saveRuleDraft, { params, body: { rules, edition: null } })).problem.code).toBe('stale');
  const fromDay = '2026-08-19';
  expect(await admin.call(readPublicationEffect, { params, query: { fromDay } })).toEqual({
    ...{ cohorts: 1, judgedAnew: 2, decided: 0 },
  });
  expect(await admin.call(publishRules, { params, body: { edition, fromDay } })).toEqual({
    ...{ status: 'published', version: 2 },
  });
  const jobs = await app.runJobs();
  await expect
    .poll(async () => {
      const { rows } = await admin.call(listStipends, { query: { week: 2, cohort: cohort.id } });
      return rows.map(({ overallEligible, rulesVersion }) => [overallEligible, rulesVersion]);
    })
    .toEqual([
      [true, 2],
      [true, 2],
    ]);
  await jobs.stop();
  const again = await admin.call(saveRuleDraft, { params, body: { rules, edition: null } });
  const earlier = await admin.refused(publishRules, { params, body: { edition: again.edition, fromDay } });
  expect(earlier.problem.errors?.[0]?.path).toBe('fromDay');
});

test('where a cohort needs two approvers, two admins publish from the same day, and an edit makes it one again', async () => {
  const { id: programmeId } = await buildProgramme(app.db);
  await buildCohort(app.db, { programmeId, needsSecondApprover: true });
  const [first, second] = [await app.as(await buildAdmin(app.db)), await app.as(await buildAdmin(app.db))];
  const params = { id: programmeId };
  const drafted = await first.call(saveRuleDraft, { params, body: { rules, edition: null } });
  const body = { edition: drafted.edition, fromDay: '2027-01-04' };
  expect((await first.call(publishRules, { params, body })).status).toBe('first_published');
  expect((await first.refused(publishRules, { params, body })).problem.code).toBe('conflict');
  const otherDay = await second.refused(publishRules, { params, body: { ...body, fromDay: '2027-01-11' } });
  expect(otherDay.problem.errors?.[0]?.path).toBe('fromDay');
  const edited = await second.call(saveRuleDraft, { params, body: { rules, edition: drafted.edition } });
  expect((await second.call(readProgramme, { params })).draft?.firstPublished).toBeNull();
  const anew = { ...body, edition: edited.edition };
  expect((await second.call(publishRules, { params, body: anew })).status).toBe('first_published');
  expect((await first.call(publishRules, { params, body: anew })).status).toBe('published');
  expect((await first.call(readProgramme, { params })).published.map(({ fromDay }) => fromDay)).toEqual([
    ...['2027-01-04', '2000-01-01'],
  ]);
});

test('rules that nobody can meet are refused at their limit', async () => {
  const { id } = await buildProgramme(app.db);
  const admin = await app.as(await buildAdmin(app.db));
  const asked = (criteria: RuleDraft['criteria']) =>
    admin.refused(saveRuleDraft, { params: { id }, body: { rules: { ...rules, criteria }, edition: null } });
  const tooLong = await asked([{ name: 'Hours', fact: 'hoursAttended', limit: 150 }]);
  expect(tooLong.problem.errors).toEqual([
    { path: 'rules.criteria.0.limit', message: 'Nobody can meet this: a stipend pays for 5 days at most.' },
  ]);
  const outOfRange = await asked([{ name: 'Attendance', fact: 'attendanceShare', limit: 101 }]);
  expect(outOfRange.problem.errors?.map(({ message }) => message)).toContain('Enter a number from 1 to 100.');
});

test('a cohort’s day is that of its zone, also where the clocks are not changed', async () => {
  const dayOf = async (zone: string) => {
    const { id: programmeId } = await buildProgramme(app.db, { zone });
    const cohort = await buildCohort(app.db, { programmeId, startDate: '2026-10-26', endDate: '2027-03-01' });
    const participant = await buildParticipant(app.db);
    await enrol(app.db, { cohortId: cohort.id, participantId: participant.id });
    return (await (await app.as(participant)).call(readParticipantDashboard)).today;
  };
  const days = async (at: string) => {
    restoreClock = stopClockAt(at);
    const found = [];
    for (const zone of ['America/New_York', 'America/Denver', 'America/Phoenix', 'Australia/Sydney']) {
      found.push(await dayOf(zone));
    }
    restoreClock();
    return found;
  };
  // Before and after the clocks of the first two go back on November 1, and those of Sydney went forward on October 4.
  expect(await days('2026-11-01T05:30:00Z')).toEqual(['2026-11-01', '2026-10-31', '2026-10-31', '2026-11-01']);
  expect(await days('2026-11-02T06:30:00Z')).toEqual(['2026-11-02', '2026-11-01', '2026-11-01', '2026-11-02']);
});
