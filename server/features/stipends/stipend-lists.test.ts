import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import type { InputOf } from '#contract/endpoint.ts';
import {
  approveStipend,
  approveWeek,
  changeStipendAmount,
  denyStipend,
  listStipends,
  processStipends,
  readStipend,
} from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import {
  attend,
  badlyRated,
  buildRating,
  buildStipend,
  buildSubmission,
  buildWeekActivities,
} from '#test/factories/stipends.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
import { processWeek } from './stipends.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof buildAdmin>>;
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  ada = await buildAdmin(app.db);
  admin = await app.as(ada);
});
afterAll(() => app.close());

type Query = InputOf<typeof listStipends>['query'];

async function namesIn(query: Query): Promise<string[]> {
  const { rows, matching } = await admin.call(listStipends, { query });
  expect(matching).toBe(rows.length);
  return rows.map(({ participantName }) => participantName);
}

async function buildNamed(firstName: string, facts: Parameters<typeof buildStipend>[1]) {
  const fellow = await buildParticipant(app.db, { firstName, lastName: 'Reyes' });
  return buildStipend(app.db, { ...facts, fellowId: fellow.id });
}

test('STIP-09 STIP-10 STIP-11 STIP-12 search, status and eligibility narrow the list together', async () => {
  const week = 1;
  const nadia = await buildParticipant(app.db, { firstName: 'Nadia', lastName: 'Ng', email: 'first@example.org' });
  const per = await buildParticipant(app.db, { firstName: 'Per_100%', lastName: 'Sent', email: 'second@example.org' });
  const luc = await buildParticipant(app.db, { firstName: 'Luc', lastName: 'Nadeau', email: 'third@example.org' });
  const deb = await buildParticipant(app.db, { firstName: 'Deb', lastName: 'Dunn', email: 'fourth@example.org' });
  await buildStipend(app.db, { fellowId: nadia.id });
  await buildStipend(app.db, { fellowId: per.id, ...badlyRated });
  await buildStipend(app.db, { fellowId: luc.id, paymentStatus: 'approved' });
  await buildStipend(app.db, { fellowId: deb.id, paymentStatus: 'paid', weekNumber: week });
  await buildNamed('Elsewhere', { weekNumber: 2 });

  expect((await namesIn({ week })).toSorted()).toEqual(['Deb Dunn', 'Luc Nadeau', 'Nadia Ng', 'Per_100% Sent']);
  expect((await namesIn({ week, search: ' NAD ' })).toSorted()).toEqual(['Luc Nadeau', 'Nadia Ng']);
  expect(await namesIn({ week, search: 'nadia n' })).toEqual(['Nadia Ng']);
  expect(await namesIn({ week, search: 'SECOND@' })).toEqual(['Per_100% Sent']);
  expect(await namesIn({ week, search: '%' })).toEqual(['Per_100% Sent']);
  expect(await namesIn({ week, search: 'r_1' })).toEqual(['Per_100% Sent']);
  expect(await namesIn({ week, search: 'nobody' })).toEqual([]);
  expect((await namesIn({ week, status: 'pending' })).toSorted()).toEqual(['Nadia Ng', 'Per_100% Sent']);
  expect(await namesIn({ week, status: 'approved' })).toEqual(['Luc Nadeau']);
  expect(await namesIn({ week, status: 'paid' })).toEqual(['Deb Dunn']);
  expect(await namesIn({ week, status: 'denied' })).toEqual([]);
  expect(await namesIn({ week, eligibility: 'not_eligible' })).toEqual(['Per_100% Sent']);
  expect(await namesIn({ week, eligibility: 'eligible', status: 'pending' })).toEqual(['Nadia Ng']);
  expect(await namesIn({ week, eligibility: 'eligible', search: 'nad', status: 'approved' })).toEqual(['Luc Nadeau']);
});

test('STIP-18 eligible rows come first, then the newest, over every page and without a gap; figures come with the first', async () => {
  const week = 3;
  const cohort = await buildCohort(app.db);
  const expected: { id: string; eligible: boolean; at: number }[] = [];
  for (let index = 0; index < 53; index += 1) {
    const eligible = index % 3 === 0;
    const at = Date.parse('2025-09-20T12:00:00Z') + (index % 7) * 1000;
    const { id } = await buildStipend(app.db, {
      cohortId: cohort.id,
      weekNumber: week,
      createdAt: new Date(at),
      ...(eligible ? {} : badlyRated),
    });
    expected.push({ id, eligible, at });
  }
  const first = await admin.call(listStipends, { query: { week } });
  expect([first.rows.length, first.matching]).toEqual([50, 53]);
  const second = await admin.call(listStipends, { query: { week, cursor: first.nextCursor ?? '' } });
  expect([second.rows.length, second.nextCursor]).toEqual([3, null]);
  expect(first.summary).toMatchObject({ totalParticipants: 53 });
  expect(second).toMatchObject({ matching: null, matchingCents: null, summary: null });
  const order = [...first.rows, ...second.rows].map(({ id }) => id);
  const inOrder = expected.toSorted(
    (left, right) =>
      Number(right.eligible) - Number(left.eligible) || right.at - left.at || (left.id < right.id ? 1 : -1),
  );
  expect(order).toEqual(inOrder.map(({ id }) => id));
  const forged = Buffer.from(JSON.stringify([true, '2025', '-'.repeat(36)])).toString('base64url');
  for (const cursor of ['made-up', `1_2025_${'-'.repeat(36)}`, forged]) {
    expect((await admin.refused(listStipends, { query: { week, cursor } })).problem.code).toBe('invalid_input');
  }
});

test('STIP-02 STIP-03 STIP-04 STIP-05 STIP-06 DATA1-21 the summary counts the whole week, whatever the filters', async () => {
  const week = 4;
  await buildStipend(app.db, { weekNumber: week });
  await buildStipend(app.db, { weekNumber: week, ...badlyRated });
  await buildStipend(app.db, { weekNumber: week, ...badlyRated, paymentStatus: 'denied' });
  await buildStipend(app.db, { weekNumber: week, paymentStatus: 'approved', stipendAmountCents: 45_050 });
  await buildStipend(app.db, { weekNumber: week, paymentStatus: 'paid' });
  await buildStipend(app.db, { weekNumber: week, paymentStatus: 'denied' });
  await buildStipend(app.db, { weekNumber: 5, paymentStatus: 'approved' });
  const summary = {
    weekNumber: week,
    totalParticipants: 6,
    eligible: 4,
    pendingApproval: 1,
    approvedStipends: 2,
    approvedCents: 95_050,
  };
  for (const filters of [{}, { status: 'denied' }, { search: 'nobody' }, { eligibility: 'not_eligible' }] as const) {
    expect(await figuresOf(admin, { week, ...filters })).toMatchObject(summary);
  }
  expect(await figuresOf(admin, { week: 16 })).toMatchObject({
    weekNumber: 16,
    totalParticipants: 0,
    eligible: 0,
    pendingApproval: 0,
    approvedStipends: 0,
    approvedCents: 0,
  });
});

test('STIP-06 the summary follows each approval, denial, bulk approval and amount, whatever the filters', async () => {
  const week = 10;
  const build = () => buildStipend(app.db, { weekNumber: week });
  const [first, second] = [await build(), await build()];
  await Promise.all([build(), build()]);
  const filters = { week, search: 'nobody', status: 'denied', eligibility: 'not_eligible' } as const;
  const summary = async () => await figuresOf(admin, filters);
  const figures = async () => {
    const { totalParticipants, pendingApproval, approvedCents } = await summary();
    return [totalParticipants, pendingApproval, approvedCents];
  };
  expect(await figures()).toEqual([4, 4, 0]);
  const approved = await admin.call(approveStipend, { params: { id: first.id }, body: { version: first.version } });
  expect(await figures()).toEqual([4, 3, 50_000]);
  await admin.call(denyStipend, { params: { id: second.id }, body: { version: second.version, reason: 'Not there' } });
  expect(await figures()).toEqual([4, 2, 50_000]);
  const changed = { version: approved.version, amountCents: 45_050 };
  await admin.call(changeStipendAmount, { params: { id: first.id }, body: changed });
  expect(await figures()).toEqual([4, 2, 45_050]);
  await admin.call(approveWeek, { body: { weekNumber: week, seen: (await summary()).pending } });
  expect(await figures()).toEqual([4, 0, 145_050]);
});

test('STIP-07 the figures are counted over the rows of all weeks, week by week', async () => {
  for (const week of [11, 12, 13]) {
    for (let index = 10; index < week; index += 1) {
      await buildStipend(app.db, { weekNumber: week, paymentStatus: 'approved', stipendAmountCents: week * 100 });
    }
    await buildStipend(app.db, { weekNumber: week, ...badlyRated });
  }
  for (const [week, approved] of [
    [11, 1],
    [12, 2],
    [13, 3],
  ] as const) {
    const { summary, rows } = await admin.call(listStipends, { query: { week } });
    expect(summary).toMatchObject({ totalParticipants: rows.length, eligible: approved, pendingApproval: 0 });
    expect(summary?.approvedCents).toBe(approved * week * 100);
  }
});

test('STIP-07 figures that cannot be read are logged, once: the list is there without them, and they come back', async () => {
  const week = 15;
  const { id } = await buildStipend(app.db, { weekNumber: week, paymentStatus: 'approved' });
  const lines: string[] = [];
  const logs = { write: (line: string) => void lines.push(line) };
  const other = await openTestApp(app.connectionString, { LOG_LEVEL: 'error' }, logs);
  // Only the figures read this column, to see whether a paid row was paid less than is owed.
  const rename = (from: string, to: string) =>
    sql`alter table stipend_ledger rename column ${sql.id(from)} to ${sql.id(to)}`.execute(app.db);
  try {
    const client = await other.as(ada);
    await rename('paid_cents', 'paid_cents_away');
    try {
      const found = await client.call(listStipends, { query: { week } });
      expect(found.rows.map((row) => row.id)).toEqual([id]);
      expect(found).toMatchObject({ summary: null, matching: null });
    } finally {
      await rename('paid_cents_away', 'paid_cents');
    }
    const failures = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'failed');
    const err = { message: expect.stringContaining('paid_cents') };
    expect(failures()).toMatchObject([{ req: { route: listStipends.path, actor: ada.id }, err }]);
    expect((await figuresOf(client, { week })).eligible).toBe(1);
    expect(failures()).toHaveLength(1);
  } finally {
    await other.close();
  }
});

test('STIP-24 a week that cannot be computed is in the log alone: its list is there all the same', async () => {
  const week = 14;
  const { id, cohortId, fellowId } = await buildStipend(app.db, { weekNumber: week });
  await enrol(app.db, { cohortId, participantId: fellowId });
  const lines: string[] = [];
  const logs = { write: (line: string) => void lines.push(line) };
  const other = await openTestApp(app.connectionString, { LOG_LEVEL: 'error' }, logs);
  await sql`alter table excused_absences rename to excused_absences_away`.execute(app.db);
  try {
    const client = await other.as(ada);
    const refusal = await client.refused(processStipends, { body: { weekNumber: week, cohortId } });
    expect(refusal.problem.code).toBe('internal');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        msg: 'failed',
        req: { route: processStipends.path, actor: ada.id },
        err: { message: expect.stringContaining('excused_absences') },
      },
    ]);
    const { rows } = await client.call(listStipends, { query: { week } });
    expect(rows.map((row) => row.id)).toEqual([id]);
    expect(lines).toHaveLength(1);
  } finally {
    await sql`alter table excused_absences_away rename to excused_absences`.execute(app.db);
    await other.close();
  }
});

test('STIP-14 STIP-27 STIP-28 STIP-29 DATA1-20 HOOK-06 a row names the person, the coach of the enrolled course, the cohort and the counts', async () => {
  const week = 6;
  const cohort = await buildCohort(app.db, { name: 'Fall 2025' });
  const other = await buildCohort(app.db, { name: 'Spring 2026' });
  const coach = await buildCoach(app.db, { firstName: 'Casey', lastName: 'Cole' });
  const formerCoach = await buildCoach(app.db, { firstName: 'Former', lastName: 'Coach' });
  const nadia = await buildParticipant(app.db, { firstName: 'Nadia', lastName: 'Ng', email: 'nadia@example.org' });
  const finished = await assignCoach(app.db, { participantId: nadia.id, coachId: formerCoach.id });
  await app.db.updateTable('userCourses').set({ status: 'completed' }).where('courseId', '=', finished.id).execute();
  await enrol(app.db, { cohortId: cohort.id, participantId: nadia.id, coachId: coach.id });
  await buildStipend(app.db, {
    fellowId: nadia.id,
    cohortId: cohort.id,
    weekNumber: week,
    assignmentsTotal: 3,
    assignmentsSubmitted: 1,
  });
  await buildStipend(app.db, { cohortId: other.id, weekNumber: week, ...badlyRated });
  const { rows } = await admin.call(listStipends, { query: { week } });
  const shown = (name: string) => rows.find(({ cohortName }) => cohortName === name);
  expect(shown('Fall 2025')).toMatchObject({
    participantName: 'Nadia Ng',
    participantEmail: 'nadia@example.org',
    coachName: 'Casey Cole',
    submissionCount: 1,
    requiredSubmissions: 3,
    overallEligible: false,
    can: { approve: false, deny: false, changeAmount: true },
  });
  expect(shown('Spring 2026')?.coachName).toBe('No coach assigned');
  // 'Unknown cohort' cannot come up. The database refuses a stipend without its cohort, and keeps the cohort of a
  // stipend.
  await expect(buildStipend(app.db, { cohortId: newId() })).rejects.toMatchObject({ code: '23503' });
  const remove = app.db.deleteFrom('cohorts').where('id', '=', other.id);
  await expect(remove.execute()).rejects.toMatchObject({ code: '23503' });
  // A row does not lack an amount either. It has the default if none was given.
  expect(rows.map(({ amountCents }) => amountCents)).toEqual([
    specifiedRules.amounts.perPeriodCents,
    specifiedRules.amounts.perPeriodCents,
  ]);
});

test('STIP-50 STIP-51 STIP-52 STIP-53 STIP-54 STIP-56 STIP-57 the details list the work of this person in this week only', async () => {
  const cohort = await buildCohort(app.db);
  const [fellow, somebodyElse] = [await buildParticipant(app.db), await buildParticipant(app.db)];
  const week = { cohortId: cohort.id, weekNumber: 7 };
  const activities = await buildWeekActivities(app.db, 7, { ...week, sessionDate: '2025-10-20' });
  const [elsewhere] = await buildWeekActivities(app.db, 1, { cohortId: cohort.id, weekNumber: 8 });
  const [first, second] = activities;
  const inFirst = { trainingActivityId: first?.id ?? '' };
  const essay = await buildAssignment(app.db, { ...inFirst, title: 'Essay', dueDate: '2025-10-24' });
  const quiz = await buildAssignment(app.db, {
    trainingActivityId: second?.id ?? '',
    title: 'Quiz',
    isRequired: false,
  });
  await buildAssignment(app.db, { ...inFirst, title: 'Lab' });
  await buildAssignment(app.db, { trainingActivityId: elsewhere?.id ?? '', title: 'Another week' });
  await attend(app.db, fellow.id, activities.slice(0, 4), { accessedAt: '2025-10-20T15:00:00Z' });
  await attend(app.db, somebodyElse.id, activities);
  await buildSubmission(app.db, {
    assignmentId: essay.id,
    userId: fellow.id,
    status: 'needs_revision',
    feedback: 'Please name the sources.',
    submittedAt: '2025-10-22T12:00:00Z',
  });
  await buildSubmission(app.db, { assignmentId: quiz.id, userId: somebodyElse.id, status: 'accepted' });
  await buildRating(app.db, { fellowId: fellow.id, ...week, overallRating: 2.5, comment: 'Was late.' });
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
  await processWeek(app.db, week.weekNumber, cohort.id);
  const { rows } = await admin.call(listStipends, { query: { week: 7, cohort: cohort.id } });
  const stipend = { id: rows[0]?.id ?? '' };

  const detail = await admin.call(readStipend, { params: { id: stipend.id } });
  expect(detail.assignments).toHaveLength(3);
  expect(detail.assignments).toEqual(
    expect.arrayContaining([
      {
        id: essay.id,
        title: 'Essay',
        isRequired: true,
        dueDate: '2025-10-24',
        status: 'needs_revision',
        submittedAt: '2025-10-22T12:00:00.000Z',
        feedback: 'Please name the sources.',
        counts: true,
      },
      {
        id: quiz.id,
        title: 'Quiz',
        isRequired: false,
        dueDate: null,
        status: null,
        submittedAt: null,
        feedback: null,
        counts: true,
      },
    ]),
  );
  expect(detail.attendance).toHaveLength(7);
  expect(detail.attendance.filter(({ accessedAt }) => accessedAt === '2025-10-20T15:00:00.000Z')).toHaveLength(4);
  expect(detail).toMatchObject({ performanceRating: 2.5, ratingComment: 'Was late.', cohortName: cohort.name });
  expect(detail.requirements).toEqual([
    '2 more activities',
    '2 more assignments',
    '1 returned assignment handed in again',
    'a rating of 3.0 or more',
  ]);
});

test('STIP-54 STIP-55 eligible rows have no requirements, and a missing rating is no error', async () => {
  const eligible = await buildStipend(app.db, { weekNumber: 9 });
  const unrated = await buildStipend(app.db, { weekNumber: 9, performanceRating: null });
  expect((await admin.call(readStipend, { params: { id: eligible.id } })).requirements).toBeNull();
  expect(await admin.call(readStipend, { params: { id: unrated.id } })).toMatchObject({
    performanceRating: null,
    ratingComment: null,
    requirements: ['a rating of 3.0 or more'],
  });
  const missing = { id: '00000000-0000-4000-8000-000000000000' };
  expect((await admin.refused(readStipend, { params: missing })).status).toBe(404);
});
