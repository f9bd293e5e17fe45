import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { listOwnStipendWeeks, listStipendWeeksOf } from '#contract/stipend-weeks.ts';
import { approveStipend, approveStipendAmount, changeStipendAmount } from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { attend, badlyRated, buildStipend, buildWeekActivities, judgedWeek } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { startAppOfTwo } from '#test/support/two-admins.ts';
import { findAllStipendWeeks } from './stipend-week-queries.ts';

let app: TestApp;
let ada: BuiltPerson;
let asAda: Client;
let asBea: Client;
let restoreClock = () => {};

beforeAll(async () => {
  ({ app, ada, asAda, asBea } = await startAppOfTwo());
});
afterAll(() => app.close());
afterEach(() => restoreClock());

type Row = { id: string; version: number };

/** Somebody with stipends of a cohort that they are no member of, so that only what is stored is shown. */
async function personOf(startDate = '2025-09-08') {
  const { id: programmeId } = await buildProgramme(app.db);
  const cohort = await buildCohort(app.db, { programmeId, startDate });
  const person = await buildParticipant(app.db, { firstName: 'Nia', lastName: 'Ng' });
  const client = await app.as(person);
  const week = (weekNumber: number, facts: Parameters<typeof buildStipend>[1] = {}) =>
    buildStipend(app.db, { fellowId: person.id, cohortId: cohort.id, weekNumber, ...facts });
  const rows = async () => (await client.call(listOwnStipendWeeks, { query: {} })).rows.toReversed();
  return { cohort, person, client, week, rows };
}

const activity = (title: string, facts: object = {}) => ({
  ...{ id: newId(), title, day: '2025-09-09', accessedAt: null, minutes: 60, isExcused: false, counts: true },
  ...facts,
});
const assignment = (title: string, facts: object = {}) => ({
  ...{ id: newId(), title, isRequired: true, dueDate: '2025-09-12', status: null, submittedAt: null, counts: true },
  ...facts,
});
const evidenceOf = (activities: object[], assignments: object[], facts: object = {}) =>
  JSON.stringify({
    ...{ joined: '2025-09-01', ended: null, countsFrom: null },
    activities,
    assignments,
    rating: null,
    ...facts,
  });

test('a person without weeks has none, no rules and no money', async () => {
  const { client, person } = await personOf();
  expect(await client.call(listOwnStipendWeeks, { query: {} })).toEqual({
    ...{ person: { id: person.id, name: 'Nia Ng' }, rows: [], rules: null, nextCursor: null },
    ...{ totals: { earnedCents: 0, paidCents: 0 }, can: { ask: true } },
  });
});

test('a week that nobody has decided lacks what is missing of the criteria that it does not meet, and nothing else', async () => {
  const { week, rows } = await personOf();
  const attended = activity('Attended', { accessedAt: '2025-09-09T15:00:00+00:00' });
  const missed = activity('Missed');
  const early = activity('Before they joined', { counts: false });
  const handed = assignment('Handed in', { status: 'submitted' });
  const accepted = assignment('Accepted', { status: 'accepted' });
  const returned = assignment('Returned', { status: 'needs_revision' });
  const open = assignment('Open', { dueDate: null });
  const other = assignment('Due before they joined', { counts: false });
  const evidence = evidenceOf([attended, missed, early], [handed, accepted, returned, open, other]);
  const failing = { activitiesTotal: 2, activitiesAccessed: 1, assignmentsTotal: 4, assignmentsSubmitted: 2 };
  await week(1, { ...failing, evidence });
  await week(2, { ...failing, activitiesAccessed: 2, evidence });
  await week(3, { ...failing, assignmentsSubmitted: 4, evidence });
  await week(4, { ...failing, evidence, paymentStatus: 'denied' });
  await week(5, failing);
  const notAttended = { kind: 'activity', id: missed.id, title: 'Missed', day: '2025-09-09', status: null };
  const notHandedIn = [
    { kind: 'assignment', id: returned.id, title: 'Returned', day: '2025-09-12', status: 'needs_revision' },
    { kind: 'assignment', id: open.id, title: 'Open', day: null, status: null },
  ];
  expect((await rows()).map(({ missing }) => missing)).toEqual([
    [notAttended, ...notHandedIn],
    notHandedIn,
    [notAttended],
    [],
    [],
  ]);
});

test('a stored week is told as it was judged, with its decision, and as sent only while it is approved and not paid', async () => {
  const { week, rows } = await personOf();
  const at = new Date('2025-10-01T12:00:00Z');
  const strict = judgedWeek({ performanceRating: 2.5 });
  await week(1, { ...strict, stipendAmountCents: 0, performanceRating: 4 });
  await week(2, { isMember: false });
  await week(3, { paymentStatus: 'denied', approvedAt: at, denialReason: 'Not there.' });
  const sent = [
    await week(4, { paymentStatus: 'approved', approvedAt: at }),
    await week(5, { paymentStatus: 'paid', approvedAt: at }),
    await week(6, { paymentStatus: 'approved', approvedAt: at }),
  ];
  const batches = { body: '{}', recipients: 1, totalCents: 50_000, createdBy: ada.id };
  for (const [index, { id: stipendId, weekNumber }] of sent.entries()) {
    const standing = index === 2 ? { status: 'queued' } : { status: 'sent', sentAt: new Date('2025-10-02T12:00:00Z') };
    const { id: handoverId } = await app.db
      .insertInto('stipendHandovers')
      .values({ ...batches, weekNumber, ...standing })
      .returning('id')
      .executeTakeFirstOrThrow();
    await app.db.insertInto('stipendHandoverRows').values({ handoverId, stipendId, amountCents: 50_000 }).execute();
  }
  const found = await rows();
  expect(found[0]).toMatchObject({ isWorkedOut: true, isEligible: false, amountCents: 0, state: 'pending' });
  expect(found[0]?.criteria).toEqual(JSON.parse(strict.criteria));
  expect(found[1]).toMatchObject({ isEligible: false, membershipNote: 'No longer in the cohort', decidedAt: null });
  const decidedAt = '2025-10-01T12:00:00.000Z';
  expect(found[2]).toMatchObject({
    state: 'denied',
    decidedAt,
    denialReason: 'Not there.',
    sentAt: null,
    payment: null,
  });
  const sentAt = '2025-10-02T12:00:00.000Z';
  expect(found.slice(3).map(({ state, sentAt: when, payment }) => [state, when, payment?.amountCents])).toEqual([
    ['sent', sentAt, undefined],
    ['paid', sentAt, 50_000],
    ['approved', null, undefined],
  ]);
  expect(found[4]?.payment).toMatchObject({ amountCents: 50_000, parts: [{ amountCents: 50_000 }] });
});

test('a week is out of reach while it can still be decided, and the rules of the newest week are those that are told', async () => {
  restoreClock = stopClockAt('2025-09-12T16:00:00Z');
  const { week, rows, client } = await personOf();
  const evidence = evidenceOf(
    [1, 2, 3, 4, 5].map((number) => activity(`Session ${number}`)),
    [],
  );
  const failing = { activitiesAccessed: 0, evidence };
  await week(1, failing);
  await week(2, { ...failing, paymentStatus: 'denied' });
  expect((await rows()).map(({ isOutOfReach, lostCriteria }) => [isOutOfReach, lostCriteria.length > 0])).toEqual([
    [true, true],
    [false, false],
  ]);
  const { rules } = await client.call(listOwnStipendWeeks, { query: {} });
  expect(rules).toEqual({ criteria: specifiedRules.criteria });
});

test('a week that is not worked out is judged by all that the rules of its program count, as it is now', async () => {
  restoreClock = stopClockAt('2025-09-12T16:00:00Z');
  const criteria = [{ name: 'Hours', fact: 'hoursAttended' as const, limit: 2 }];
  const { id: programmeId } = await buildProgramme(app.db, { rules: { ...specifiedRules, criteria } });
  const { id: cohortId } = await buildCohort(app.db, { programmeId });
  const { id } = await buildParticipant(app.db);
  await enrol(app.db, { cohortId, participantId: id });
  const held = { cohortId, sessionDate: '2025-09-10', durationMinutes: 60 };
  await attend(app.db, id, await buildWeekActivities(app.db, 2, held));
  const { rows } = await (await app.as({ id })).call(listOwnStipendWeeks, { query: {} });
  expect(rows).toMatchObject([
    {
      ...{ isWorkedOut: false, isEligible: true, amountCents: 50_000, activities: { accessed: 2, total: 2 } },
      criteria: [{ name: 'Hours', isMet: true, reason: '2 hours attended' }],
    },
  ]);
});

test('a week that was decided before there were rules keeps its own criteria and amount, and no rules are told', async () => {
  const { week, client } = await personOf('1999-09-06');
  const stipend = await week(1, { ...badlyRated, paymentStatus: 'denied', stipendAmountCents: 41_000 });
  const found = await client.call(listOwnStipendWeeks, { query: {} });
  expect(found).toMatchObject({
    rules: null,
    rows: [{ state: 'denied', amountCents: 41_000, isEligible: false, isOutOfReach: false, isWorkedOut: true }],
  });
  expect(found.rows[0]?.criteria).toEqual(stipend.criteria);
});

test('the screen has 20 weeks a page and a statement all of them, the newest first', async () => {
  const { week, client, person } = await personOf('2024-01-08');
  const { id: later } = await buildCohort(app.db, { startDate: '2024-09-09' });
  for (let number = 1; number <= 16; number += 1) await week(number);
  for (let number = 1; number <= 5; number += 1) await week(number, { cohortId: later });
  const first = await client.call(listOwnStipendWeeks, { query: {} });
  const second = await client.call(listOwnStipendWeeks, { query: { cursor: first.nextCursor ?? '' } });
  expect([first.rows.length, second.rows.length, second.nextCursor]).toEqual([20, 1, null]);
  const days = [...first.rows, ...second.rows].map(({ firstDay }) => firstDay);
  expect(days).toEqual([...new Set(days)].sort().reverse());
  expect((await findAllStipendWeeks(app.db, person.id)).map(({ firstDay }) => firstDay)).toEqual(days);
});

test('while a new amount waits for another admin, the approved one counts as earned, and nothing if there is none', async () => {
  const { week, client } = await personOf();
  const earned = async () => (await client.call(listOwnStipendWeeks, { query: {} })).totals.earnedCents;
  const priced = ({ id, version }: Row, amountCents: number) => ({ params: { id }, body: { version, amountCents } });
  const of = ({ id, version }: Row) => ({ params: { id }, body: { version } });
  const approved = await asAda.call(approveStipend, of(await week(1)));
  expect(await earned()).toBe(50_000);
  const raised = await asAda.call(changeStipendAmount, priced(approved, 140_000));
  expect(await earned()).toBe(50_000);
  const again = await asAda.call(changeStipendAmount, priced(raised, 150_000));
  expect(await earned()).toBe(50_000);
  const settled = await asBea.call(approveStipendAmount, of(again));
  expect(await earned()).toBe(150_000);
  // What Bea approved was set by Ada, whatever Bea sets afterward.
  await asBea.call(changeStipendAmount, priced(settled, 180_000));
  expect(await earned()).toBe(150_000);

  const unusual = await asAda.call(changeStipendAmount, priced(await week(2), 200_000));
  const waiting = await asAda.call(approveStipend, of(unusual));
  expect(waiting).toMatchObject({ amountAwaitsApproval: true });
  expect(await earned()).toBe(150_000);
  await asAda.call(changeStipendAmount, priced(waiting, 250_000));
  expect(await earned()).toBe(150_000);
});

test('a coach reads the weeks of own participants, and admins those of everybody who has some', async () => {
  const { cohort, person } = await personOf();
  const coach = await buildCoach(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: person.id, coachId: coach.id });
  await buildStipend(app.db, { fellowId: person.id, cohortId: cohort.id });
  const asCoach = await app.as(coach);
  const readBy = async (client: Client, id = person.id) => {
    const found = await client.call(listStipendWeeksOf, { params: { id }, query: {} });
    return [found.person, found.can];
  };
  const shown = [{ id: person.id, name: 'Nia Ng' }, { ask: false }];
  expect([await readBy(asCoach), await readBy(asAda)]).toEqual([shown, shown]);
  const gone = { status: 404, problem: { detail: 'This participant was not found.' } };
  const refusedFor = (client: Client, id: string) => client.refused(listStipendWeeksOf, { params: { id }, query: {} });
  const stranger = await app.as(await buildCoach(app.db));
  expect(await refusedFor(stranger, person.id)).toMatchObject(gone);
  expect(await refusedFor(asAda, coach.id)).toMatchObject(gone);

  await app.db.updateTable('profiles').set({ role: 'coach' }).where('id', '=', person.id).execute();
  expect(await refusedFor(asCoach, person.id)).toMatchObject(gone);
  expect(await readBy(asAda)).toEqual(shown);
  const left = await buildParticipant(app.db);
  await app.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', left.id).execute();
  expect(await refusedFor(asAda, left.id)).toMatchObject(gone);
});
