import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listCohortProgress, readMemberProgress } from '#contract/cohort-progress.ts';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { readFellowship } from '#contract/fellowship.ts';
import { listCoachParticipants, readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import { readTrainingCalendar } from '#contract/learning.ts';
import { readConversation } from '#contract/messages.ts';
import { personStanding, programmeStanding } from '#contract/standing.ts';
import { exportOwnStipends, exportStipends, printOwnStatement } from '#contract/stipend-exports.ts';
import { askAboutStipend } from '#contract/stipend-questions.ts';
import { listOwnStipendWeeks, listStipendWeeksOf } from '#contract/stipend-weeks.ts';
import { listStipends, processStipends, readStipend } from '#contract/stipends.ts';
import { weekStanding } from '#contract/week-standing.ts';
import { programmeWeek } from '#contract/weeks.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, buildWeekActivities } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

const monday = '2025-10-06T16:00:00Z';
const friday = '2025-10-10T16:00:00Z';
const saturday = '2025-10-11T16:00:00Z';

let server: TestApp;
const restore: (() => void)[] = [];

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
afterEach(() => {
  for (const undo of restore.splice(0)) undo();
});

/** In week 5, with five activities from Monday on, two of them attended, work that came back, and no rating. */
async function memberOfWeekFive({ isProcessed = false } = {}) {
  const [coach, participant, admin] = [
    await buildCoach(server.db),
    await buildParticipant(server.db),
    await buildAdmin(server.db),
  ];
  const cohort = await buildCohort(server.db, { startDate: '2025-09-08' });
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const activities = await buildWeekActivities(server.db, 5, {
    cohortId: cohort.id,
    weekNumber: 5,
    sessionDate: '2025-10-06',
  });
  const work = await buildAssignment(server.db, { trainingActivityId: activities[0]?.id ?? '', dueDate: '2025-10-06' });
  await attend(server.db, participant.id, activities.slice(0, 2));
  await buildSubmission(server.db, {
    assignmentId: work.id,
    userId: participant.id,
    status: 'needs_revision',
    reviewedBy: coach.id,
  });
  const clients = {
    participant: await server.as(participant),
    coach: await server.as(coach),
    admin: await server.as(admin),
  };
  const week = { weekNumber: 5, cohortId: cohort.id };
  if (isProcessed) await clients.admin.call(processStipends, { body: week });
  return { participant, cohort, clients, week };
}
type Member = Awaited<ReturnType<typeof memberOfWeekFive>>;

/** How each read that has the week tells it to the participant, at the instant of the clock. */
async function weekLabels({ participant, cohort, clients }: Member, today: string, isProcessed: boolean) {
  const told = {
    ...programmeWeek(cohort.startDate, 5, specifiedCalendar),
    ...({ weekNumber: 5, payPeriod: 'week', today, reader: 'participant' } as const),
  };
  const dashboard = (await clients.participant.call(readParticipantDashboard)).stipend;
  if (!dashboard) throw new Error('The dashboard has a stipend.');
  const own = await clients.participant.call(listOwnStipendWeeks, { query: {} });
  const coachs = await clients.coach.call(listStipendWeeksOf, { params: { id: participant.id }, query: {} });
  const rows = isProcessed
    ? (await clients.admin.call(listStipends, { query: { week: 5, cohort: cohort.id } })).rows
    : [];
  const details = await Promise.all(rows.map(({ id }) => clients.admin.call(readStipend, { params: { id } })));
  return [
    weekStanding({ ...told, ...dashboard, amountCents: dashboard.weeklyCents, decision: 'pending' }).label,
    ...[own, coachs].map(({ rows: [row] }) => row && weekStanding({ ...row, ...told, decision: row.state }).label),
    ...[...rows, ...details].map(
      (row) => weekStanding({ ...row, ...told, decision: row.paymentStatus, isEligible: row.overallEligible }).label,
    ),
  ];
}

test.each([
  { at: monday, day: '2025-10-06', label: 'Attendance: 2 of 5 so far', isOutOfReach: false },
  { at: friday, day: '2025-10-10', label: "Not on track for this week's pay", isOutOfReach: true },
  { at: saturday, day: '2025-10-11', label: 'Not met: Attendance, Assignments', isOutOfReach: true },
])('on $day every read tells the same of the week, worked out or not: $label', async ({ at, day, ...told }) => {
  restore.push(stopClockAt(at));
  for (const isProcessed of [false, true]) {
    const member = await memberOfWeekFive({ isProcessed });
    const labels = await weekLabels(member, day, isProcessed);
    expect(labels).toEqual(Array(isProcessed ? 5 : 3).fill(told.label));
    const { participants } = await member.clients.coach.call(readCoachDashboard);
    expect(participants.map(({ isStipendAtRisk }) => isStipendAtRisk)).toEqual([told.isOutOfReach]);
  }
});

test('every read tells the same of the programme, and a coach reads one badge for a person', async () => {
  restore.push(stopClockAt(friday));
  const { participant, cohort, clients } = await memberOfWeekFive();
  const { progress } = await clients.participant.call(readParticipantDashboard);
  const fellowship = await clients.participant.call(readFellowship);
  const place = { id: cohort.id, participantId: participant.id };
  const member = await clients.coach.call(readMemberProgress, { params: place });
  const listed = await clients.coach.call(listCohortProgress, { params: { id: cohort.id }, query: {} });
  const { participants } = await clients.coach.call(readCoachDashboard);
  const paged = await clients.coach.call(listCoachParticipants, { query: {} });
  const people = [...participants, ...paged.rows];
  const found = [progress, fellowship.progress, member.progress, ...listed.rows, ...people.map((one) => one.progress)];
  expect(found.map((one) => programmeStanding(one).label)).toEqual(Array(6).fill(programmeStanding(progress).label));
  for (const person of people) {
    const facts = { isOutOfReach: person.isStipendAtRisk, programme: person.progress, matters: person };
    expect(personStanding(facts).reasons).toEqual([
      "Not on track for this week's pay",
      '3 activities overdue',
      '1 assignment returned',
    ]);
  }
});

test('an activity is overdue on the calendar, on the dashboard and in the coach’s count, or on none of them', async () => {
  restore.push(stopClockAt(friday));
  const { clients } = await memberOfWeekFive();
  const calendar = await clients.participant.call(readTrainingCalendar, { query: {} });
  const dashboard = await clients.participant.call(readParticipantDashboard);
  const { participants } = await clients.coach.call(readCoachDashboard);
  const overdue = (activities: typeof calendar.activities) =>
    activities.filter(({ state }) => state === 'overdue').map(({ id }) => id);
  expect(overdue(calendar.activities)).toHaveLength(3);
  expect(overdue(dashboard.pendingActivities).sort()).toEqual(overdue(calendar.activities).sort());
  expect(participants[0]?.missedActivities).toBe(3);
});

test('exports, the statement and the message of a question call nothing failed while the week runs', async () => {
  restore.push(stopClockAt(monday));
  const { participant, cohort, clients, week } = await memberOfWeekFive({ isProcessed: true });
  const inWords = [
    'Attendance: 2 of 5 activities attended (40%), 80% needed (so far)',
    'Assignments: 0 of 1 handed in, 1 returned: revise and hand in again (so far)',
    "Performance: Not rated yet, 3.0 needed (waiting for the coach's rating)",
  ];
  const admins = `${exportStipends.path}?format=csv&scope=week&week=5&cohort=${cohort.id}`;
  const sheets = [
    await (await clients.admin.fetch(admins)).text(),
    await (await clients.participant.fetch(`${exportOwnStipends.path}?format=csv`)).text(),
  ];
  for (const sheet of sheets) {
    expect(sheet).toContain(inWords.join('; '));
    expect(sheet).not.toMatch(/not met|failed/);
  }
  const statement = new Uint8Array(await (await clients.participant.fetch(printOwnStatement.path)).arrayBuffer());
  const { text } = await extractText(await getDocumentProxy(statement), { mergePages: true });
  expect(text.replace(/\s+/g, ' ')).toMatch(/Assignments 0 of 1, 1 returned, .*Not yet \$500 Not decided yet/);

  await clients.participant.call(askAboutStipend, { body: { ...week, question: 'Am I fine?' } });
  const jobs = await server.runJobs();
  const messages = async () => {
    const read = await clients.coach.call(readConversation, { params: { id: participant.id }, query: {} });
    return read.messages.map((message) => message.text).join('\n');
  };
  await expect.poll(messages).toContain('Not Eligible yet, $500: Not decided yet');
  await jobs.stop();
  for (const line of inWords) expect(await messages()).toContain(line);
});
