import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { askForAttendanceCorrection } from '#contract/attendance-corrections.ts';
import { readAdminDashboard, readParticipantDashboard } from '#contract/home.ts';
import { readConversation } from '#contract/messages.ts';
import { listNotices } from '#contract/notices.ts';
import { printOwnStatement } from '#contract/stipend-exports.ts';
import {
  answerStipendQuestion,
  askAboutStipend,
  listStipendQuestions,
  withdrawStipendQuestion,
} from '#contract/stipend-questions.ts';
import { listOwnStipendWeeks, listStipendWeeksOf } from '#contract/stipend-weeks.ts';
import { changeStipendAmount, listStipends } from '#contract/stipends.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, badlyRated, buildRating, buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let app: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
/** Wednesday of week 3 of the cohort that starts on 8 September 2025. */
beforeEach(() => {
  restoreClock = stopClockAt('2025-09-24T14:00:00Z');
});
afterEach(() => restoreClock());

/** A participant with a coach in week 3 of a cohort. Week 1 is worked out, the others are not. */
async function coachedMember() {
  const cohort = await buildCohort(app.db, { startDate: '2025-09-08' });
  const coach = await buildCoach(app.db, { firstName: 'Cleo', lastName: 'Coach' });
  const robin = await buildParticipant(app.db, { firstName: 'Robin', lastName: 'Łukasz-Őry' });
  await enrol(app.db, { cohortId: cohort.id, participantId: robin.id, coachId: coach.id });
  await app.db
    .updateTable('cohortParticipants')
    .set({ enrolledAt: '2025-09-01T12:00:00Z' })
    .where('participantId', '=', robin.id)
    .execute();
  const admin = await buildAdmin(app.db, { firstName: 'Ada', lastName: 'Admin' });
  return {
    cohort,
    robin,
    coach,
    admin,
    asRobin: await app.as(robin),
    asCoach: await app.as(coach),
    asOtherCoach: await app.as(await buildCoach(app.db)),
    asAdmin: await app.as(admin),
    ask: { cohortId: cohort.id, weekNumber: 2, question: 'Why is my lab of Tuesday missing?' },
  };
}

const weeksOf = (client: Client) => client.call(listOwnStipendWeeks, { query: {} });

test('a participant sees all own weeks with the numbers of the admins, what is missing, and the sum of approved and paid ones', async () => {
  const { cohort, robin, asRobin, asAdmin, asCoach, asOtherCoach } = await coachedMember();
  const facts = { cohortId: cohort.id, weekNumber: 2, applicableFellowship: true };
  const lab = await buildActivity(app.db, { ...facts, title: 'Relay lab', sessionDate: '2025-09-16' });
  const talk = await buildActivity(app.db, { ...facts, title: 'Grid talk', sessionDate: '2025-09-17' });
  const item = await buildContentItem(app.db, { trainingActivityId: lab.id });
  await buildAssignment(app.db, { contentItemId: item.id, title: 'Lab report', dueDate: '2025-09-19' });
  await attend(app.db, robin.id, [talk]);
  await buildRating(app.db, { fellowId: robin.id, cohortId: cohort.id, weekNumber: 2, overallRating: 3.5 });
  await processWeek(app.db, 2, cohort.id);
  await buildStipend(app.db, { fellowId: robin.id, cohortId: cohort.id, weekNumber: 1, paymentStatus: 'paid' });
  // Nobody sees another participant's week.
  await buildStipend(app.db, { cohortId: cohort.id, weekNumber: 1, paymentStatus: 'approved' });

  const { rows, totals, person } = await weeksOf(asRobin);
  expect(person).toEqual({ id: robin.id, name: 'Robin Łukasz-Őry' });
  expect(rows.map(({ weekNumber, isWorkedOut, state }) => [weekNumber, isWorkedOut, state])).toEqual([
    [3, false, 'pending'],
    [2, true, 'pending'],
    [1, true, 'paid'],
  ]);
  expect(totals).toEqual({ earnedCents: 50_000, paidCents: 50_000 });
  const [, second, first] = rows;
  const { at } = first?.payment ?? {};
  expect(first?.payment).toEqual({ amountCents: 50_000, at, parts: [{ amountCents: 50_000, at }] });
  expect(second).toMatchObject({
    firstDay: '2025-09-15',
    lastDay: '2025-09-19',
    isEligible: false,
    activities: { accessed: 1, total: 2 },
    assignments: { submitted: 0, total: 1 },
    rating: 3.5,
    amountCents: 50_000,
    missing: [
      { kind: 'activity', id: lab.id, title: 'Relay lab', day: '2025-09-16' },
      { kind: 'assignment', title: 'Lab report', day: '2025-09-19' },
    ],
  });
  const ofAdmin = await asAdmin.call(listStipends, { query: { week: 2, cohort: cohort.id } });
  expect(ofAdmin.rows.map(({ criteria }) => criteria)).toEqual([second?.criteria]);

  const seen = { params: { id: robin.id }, query: {} };
  expect((await asCoach.call(listStipendWeeksOf, seen)).rows).toEqual(rows);
  expect(await asAdmin.call(listStipendWeeksOf, seen)).toMatchObject({ rows, totals, can: { ask: false } });
  expect(await asOtherCoach.refused(listStipendWeeksOf, seen)).toMatchObject({ status: 404 });
  expect(await asRobin.refused(listStipendWeeksOf, seen)).toMatchObject({ status: 403 });
});

test('a week that an admin has opened ahead of its time is shown once it begins, or is decided', async () => {
  const { cohort, robin, asRobin, asAdmin } = await coachedMember();
  const week = { fellowId: robin.id, cohortId: cohort.id };
  for (const weekNumber of [3, 4, 5]) await buildStipend(app.db, { ...week, weekNumber });
  await buildStipend(app.db, { ...week, weekNumber: 6, paymentStatus: 'approved' });
  const shownIn = async () => {
    const { rows } = await weeksOf(asRobin);
    const { stipend } = await asRobin.call(readParticipantDashboard);
    return [rows, stipend?.recentWeeks].map((weeks) => weeks?.map(({ weekNumber }) => weekNumber));
  };
  expect(await shownIn()).toEqual([
    [6, 3, 2, 1],
    [6, 3],
  ]);
  expect((await asAdmin.call(listStipends, { query: { week: 4, cohort: cohort.id } })).rows).toHaveLength(1);
  restoreClock();
  restoreClock = stopClockAt('2025-09-29T04:00:00Z');
  expect(await shownIn()).toEqual([
    [6, 4, 3, 2, 1],
    [6, 4, 3],
  ]);
});

test('a week tells that it was sent, changed and adjusted, and what became of a correction', async () => {
  const { cohort, robin, admin, asRobin, asAdmin } = await coachedMember();
  const stipend = await buildStipend(app.db, {
    fellowId: robin.id,
    cohortId: cohort.id,
    weekNumber: 1,
    paymentStatus: 'approved',
  });
  const lab = await buildActivity(app.db, {
    cohortId: cohort.id,
    weekNumber: 2,
    title: 'Relay lab',
    sessionDate: '2025-09-16',
  });
  const body = { attended: true, reason: 'My phone was empty.' };
  await asRobin.call(askForAttendanceCorrection, { params: { id: lab.id }, body });
  const changed = await asAdmin.call(changeStipendAmount, {
    params: { id: stipend.id },
    body: { version: stipend.version, amountCents: 45_000 },
  });
  const batch = { weekNumber: 1, body: '{}', recipients: 1, totalCents: 45_000, createdBy: admin.id };
  const { id: handoverId } = await app.db
    .insertInto('stipendHandovers')
    .values({ ...batch, status: 'sent', sentAt: new Date('2025-09-23T15:00:00Z') })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('stipendHandoverRows')
    .values({ handoverId, stipendId: stipend.id, amountCents: 45_000 })
    .execute();
  await asAdmin.call(changeStipendAmount, {
    params: { id: stipend.id },
    body: { version: changed.version, amountCents: 40_000, reason: 'For the payroll only: paid in advance.' },
  });
  const { rows, totals } = await weeksOf(asRobin);
  expect(rows.at(-1)).toMatchObject({
    weekNumber: 1,
    state: 'sent',
    sentAt: '2025-09-23T15:00:00.000Z',
    amountCents: 40_000,
    changes: [
      { fromCents: 45_000, toCents: 40_000, isAdjustment: true },
      { fromCents: 50_000, toCents: 45_000, isAdjustment: false },
    ],
  });
  expect(JSON.stringify(rows)).not.toContain('payroll');
  expect(rows.find(({ weekNumber }) => weekNumber === 2)?.corrections).toEqual([
    { activityId: lab.id, activityTitle: 'Relay lab', attended: true, status: 'open', answer: null },
  ]);
  expect(totals).toEqual({ earnedCents: 40_000, paidCents: 0 });
});

test('many weeks come by pages, newest first, none twice', async () => {
  const robin = await buildParticipant(app.db);
  for (const startDate of ['2024-01-08', '2024-09-09']) {
    const cohort = await buildCohort(app.db, { startDate });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        buildStipend(app.db, { fellowId: robin.id, cohortId: cohort.id, weekNumber: index + 1 }),
      ),
    );
  }
  const asRobin = await app.as(robin);
  const first = await weeksOf(asRobin);
  const cursor = first.nextCursor ?? '';
  const second = await asRobin.call(listOwnStipendWeeks, { query: { cursor } });
  expect([first.rows.length, second.rows.length, second.nextCursor]).toEqual([20, 4, null]);
  const days = [...first.rows, ...second.rows].map(({ firstDay }) => firstDay);
  expect(days).toEqual([...new Set(days)].sort().reverse());
  expect(await asRobin.refused(listOwnStipendWeeks, { query: { cursor: 'bm90IG91cnM' } })).toMatchObject({
    status: 422,
  });
});

test('a question goes to the coach as a message with the facts, stands in the queue and beside the row, and its answer is told', async () => {
  const { cohort, robin, coach, admin, asRobin, asCoach, asOtherCoach, asAdmin, ask } = await coachedMember();
  await processWeek(app.db, 2, cohort.id);
  const queued = async () => (await asAdmin.call(readAdminDashboard)).queues.stipendQuestions;
  const before = await queued();
  const { id } = await asRobin.call(askAboutStipend, { body: ask });

  const jobs = await app.runJobs();
  await expect
    .poll(async () => {
      const thread = await asCoach.call(readConversation, { params: { id: robin.id }, query: {} });
      return thread.messages.map(({ text }) => text);
    })
    .toEqual([expect.stringContaining(`Question about my stipend of week 2:\n${ask.question}\n`)]);
  await jobs.stop();
  const thread = await asCoach.call(readConversation, { params: { id: robin.id }, query: {} });
  expect(thread.messages[0]?.text).toContain('Week 2 (Sep 15, 2025 to Sep 19, 2025)');
  expect(thread.messages[0]?.text).toContain("Performance: Not rated yet, 3.0 needed (waiting for the coach's rating)");
  expect(thread.messages[0]?.text).toContain('Not Eligible yet, $500: Not decided yet');

  expect(await queued()).toBe(before + 1);
  const beside = await asAdmin.call(listStipends, { query: { week: 2, cohort: cohort.id } });
  expect(beside.rows.map(({ openQuestion }) => openQuestion)).toEqual([ask.question]);
  const open = await asCoach.call(listStipendQuestions, { query: {} });
  expect(open.rows).toEqual([
    expect.objectContaining({
      id,
      participantName: 'Robin Łukasz-Őry',
      coachName: 'Cleo Coach',
      question: ask.question,
    }),
  ]);
  expect(open.rows[0]?.facts[0]).toContain('Week 2');
  expect((await asOtherCoach.call(listStipendQuestions, { query: {} })).rows).toEqual([]);

  const answer = { params: { id }, body: { closes: false, answer: 'It is recorded now.' } };
  expect(await asOtherCoach.refused(answerStipendQuestion, answer)).toMatchObject({ status: 404 });
  expect(
    await asCoach.refused(answerStipendQuestion, { params: { id }, body: { closes: false, answer: ' ' } }),
  ).toMatchObject({ problem: { code: 'invalid_input' } });
  await asCoach.call(answerStipendQuestion, answer);
  expect(await asAdmin.refused(answerStipendQuestion, answer)).toMatchObject({ problem: { code: 'stale' } });
  expect(await queued()).toBe(before);
  const entry = app.db.selectFrom('auditLog').select(['action', 'actorId', 'after']).where('subjectId', '=', id);
  expect(await entry.execute()).toEqual([
    { action: 'stipend.answer_question', actorId: coach.id, after: { answer: 'It is recorded now.' } },
  ]);
  expect((await asRobin.call(listNotices, { query: {} })).rows[0]).toMatchObject({
    title: 'Your question about week 2 was answered',
    message: 'Cleo Coach: It is recorded now.',
    link: '/my-stipends',
  });
  const week = (await weeksOf(asRobin)).rows.find(({ weekNumber }) => weekNumber === 2);
  expect(week?.questions[0]).toMatchObject({
    status: 'answered',
    answer: 'It is recorded now.',
    answeredBy: 'Cleo Coach',
  });
  const answered = await asAdmin.call(listStipendQuestions, { query: { state: 'answered' } });
  expect(answered.rows.map((row) => row.id)).toContain(id);

  const again = await asRobin.call(askAboutStipend, { body: ask });
  await asAdmin.call(answerStipendQuestion, { params: { id: again.id }, body: { closes: true, answer: '' } });
  const closed = await app.db
    .selectFrom('auditLog')
    .select(['action', 'actorId'])
    .where('subjectId', '=', again.id)
    .execute();
  expect(closed).toEqual([{ action: 'stipend.close_question', actorId: admin.id }]);
  const both = (await weeksOf(asRobin)).rows.find(({ weekNumber }) => weekNumber === 2)?.questions;
  expect(both?.map((question) => question.id)).toEqual([again.id, id]);
});

test('one open question a week, about own weeks that have begun only, and the person who asked can take it back', async () => {
  const { robin, asRobin, asCoach, asAdmin, ask } = await coachedMember();
  const foreign = await buildCohort(app.db, { startDate: '2025-09-08' });
  for (const body of [
    { ...ask, cohortId: foreign.id },
    { ...ask, weekNumber: 4 },
  ]) {
    expect(await asRobin.refused(askAboutStipend, { body })).toMatchObject({ status: 404 });
  }
  expect(await asRobin.refused(askAboutStipend, { body: { ...ask, question: ' ' } })).toMatchObject({ status: 422 });
  expect(await asCoach.refused(askAboutStipend, { body: ask })).toMatchObject({ status: 403 });

  const asked = await Promise.allSettled(Array.from({ length: 6 }, () => asRobin.call(askAboutStipend, { body: ask })));
  const made = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
  expect(made).toHaveLength(1);
  const [id = ''] = made;
  const asStranger = await app.as(await buildParticipant(app.db));
  expect(await asStranger.refused(withdrawStipendQuestion, { params: { id } })).toMatchObject({ status: 404 });
  await asRobin.call(withdrawStipendQuestion, { params: { id } });
  expect((await weeksOf(asRobin)).rows.find(({ weekNumber }) => weekNumber === 2)?.questions).toEqual([]);
  expect(
    await asAdmin.refused(answerStipendQuestion, { params: { id }, body: { closes: true, answer: '' } }),
  ).toMatchObject({ problem: { code: 'stale' } });
  await asRobin.call(askAboutStipend, { body: ask });
  const stored = app.db.selectFrom('stipendQuestions').select('status').where('participantId', '=', robin.id);
  expect((await stored.execute()).map(({ status }) => status).sort()).toEqual(['open', 'withdrawn']);
});

test('without a coach the admins are told', async () => {
  const cohort = await buildCohort(app.db, { startDate: '2025-09-08' });
  const lone = await buildParticipant(app.db, { firstName: 'Lone', lastName: 'Fellow' });
  await enrol(app.db, { cohortId: cohort.id, participantId: lone.id });
  const stipend = await buildStipend(app.db, { fellowId: lone.id, cohortId: cohort.id, ...badlyRated });
  const asAdmin = await app.as(await buildAdmin(app.db));
  const body = { cohortId: cohort.id, weekNumber: stipend.weekNumber, question: 'Who rates me?' };
  await (await app.as(lone)).call(askAboutStipend, { body });
  expect((await asAdmin.call(listNotices, { query: {} })).rows).toMatchObject([
    { title: 'A question about a stipend', message: 'Lone Fellow, who has no coach, asks about week 1.' },
  ]);
  expect((await asAdmin.call(listStipendQuestions, { query: {} })).rows.at(-1)).toMatchObject({
    participantName: 'Lone Fellow',
    coachName: 'No coach assigned',
  });
});

async function textOf(answer: Response): Promise<{ text: string; pages: number }> {
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="stipend-statement-2025-09-24.pdf"');
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
  const { text, totalPages } = await extractText(pdf, { mergePages: true });
  return { text: text.replace(/\s+/g, ' '), pages: totalPages };
}

test('the statement names the person, every week and the totals of each year; an admin who prints it is on record', async () => {
  const { cohort, robin, admin, asRobin, asCoach, asAdmin } = await coachedMember();
  const own = { fellowId: robin.id, cohortId: cohort.id };
  await buildStipend(app.db, { ...own, weekNumber: 1, paymentStatus: 'approved', stipendAmountCents: 45_050 });
  await buildStipend(app.db, { ...own, weekNumber: 2, paymentStatus: 'denied', stipendAmountCents: 12_300 });
  const { text, pages } = await textOf(await asRobin.fetch(printOwnStatement.path));
  expect(pages).toBe(1);
  expect(text).toContain('Robin Łukasz-Őry');
  expect(text).toContain('As of Sep 24, 2025');
  expect(text).toMatch(/All years \$450\.50 \$0/);
  expect(text).toMatch(
    /1 Sep 8, 2025 to Sep 12, 2025 Attendance 5 of 5, Assignments 2 of 2, Performance 4\.0 of 5 Yes \$450\.50 Approved, /,
  );
  expect(text).toMatch(/2 Sep 15, 2025 to Sep 19, 2025 .* \$123 Denied, /);
  expect(text).toMatch(
    /3 Sep 22, 2025 to Sep 26, 2025 Attendance 0 of 0, Assignments 0 of 0, Performance Not rated yet Not yet \$500 Not decided yet/,
  );
  expect(text).toContain('Page 1 of 1');

  const path = `/api/users/${robin.id}/stipend-statement`;
  expect((await textOf(await asAdmin.fetch(path))).text).toBe(text);
  expect((await asCoach.fetch(path)).status).toBe(403);
  expect((await asRobin.fetch(path)).status).toBe(403);
  expect((await asAdmin.fetch(`/api/users/${admin.id}/stipend-statement`)).status).toBe(404);
  const exported = app.db
    .selectFrom('auditLog')
    .select('after')
    .where('action', '=', 'stipend.export')
    .where('actorId', '=', admin.id);
  expect(await exported.execute()).toEqual([{ after: { scope: 'person', person: robin.id, format: 'pdf' } }]);

  await app.db.updateTable('profiles').set({ role: 'coach' }).where('id', '=', robin.id).execute();
  const formerly = await textOf(await asAdmin.fetch(path));
  expect(formerly.text).toMatch(/All years \$450\.50 \$0/);
  const weeks = await asAdmin.call(listStipendWeeksOf, { params: { id: robin.id }, query: {} });
  expect(weeks.rows.map(({ weekNumber }) => weekNumber)).toEqual([2, 1]);
});

test('a statement of many weeks goes on over pages, with the heading on each', async () => {
  const robin = await buildParticipant(app.db);
  for (const startDate of ['2022-01-10', '2023-01-09', '2024-01-08', '2025-01-06']) {
    const cohort = await buildCohort(app.db, { startDate, name: `Cohort of ${startDate}` });
    await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        buildStipend(app.db, { fellowId: robin.id, cohortId: cohort.id, weekNumber: index + 1 }),
      ),
    );
  }
  const { text, pages } = await textOf(await (await app.as(robin)).fetch(printOwnStatement.path));
  expect(pages).toBeGreaterThan(1);
  expect(text.match(/Not decided yet/g)).toHaveLength(64);
  expect(text).toContain(`Page ${pages} of ${pages}`);
});
