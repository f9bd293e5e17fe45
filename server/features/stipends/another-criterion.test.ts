import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import { readConversation } from '#contract/messages.ts';
import { exportOwnStipends, exportStipends, printOwnStatement } from '#contract/stipend-exports.ts';
import { askAboutStipend } from '#contract/stipend-questions.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import { listStipends, processStipends, readStipend } from '#contract/stipends.ts';
import { followLeftChanges } from '#server/derivations.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme, publishRules } from '#test/factories/programmes.ts';
import { attend, buildRating, buildWeekActivities } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let app: TestApp;
let restore: (() => void)[] = [];

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
// Friday evening of week 1.
beforeEach(() => {
  restore = [stopClockAt('2025-09-12T23:00:00Z')];
});
afterEach(() => {
  for (const undo of restore.toReversed()) undo();
});

const atMostOneAbsence = { name: 'Presence', fact: 'absences', limit: 1 } as const;

/**
 * Attended eight of ten, had nothing to hand in, and was rated. This is enough by the specified rules, and one absence
 * too many by the other.
 */
async function fellowOfWeekOne() {
  const coach = await buildCoach(app.db, { firstName: 'Cleo', lastName: 'Coach' });
  const fellow = await buildParticipant(app.db);
  const programme = await buildProgramme(app.db);
  const cohort = await buildCohort(app.db, { startDate: '2025-09-08', programmeId: programme.id });
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id, coachId: coach.id });
  await app.db
    .updateTable('cohortParticipants')
    .set({ enrolledAt: '2025-09-01T12:00:00Z' })
    .where('participantId', '=', fellow.id)
    .execute();
  const activities = await buildWeekActivities(app.db, 10, { cohortId: cohort.id, sessionDate: '2025-09-09' });
  await attend(app.db, fellow.id, activities.slice(0, 8));
  await buildRating(app.db, { fellowId: fellow.id, cohortId: cohort.id });
  return { coach, fellow, cohort, activities };
}

/** From the cohort's first week on. */
function askForPresence({ programmeId, startDate }: { programmeId: string; startDate: string }) {
  const criteria = [...specifiedRules.criteria, atMostOneAbsence];
  return publishRules(app.db, { programmeId, fromDay: startDate, rules: { ...specifiedRules, version: 2, criteria } });
}

test('a fourth criterion decides, and is shown on every screen, in the message, in the exports and in the statement', async () => {
  const { coach, fellow, cohort, activities } = await fellowOfWeekOne();
  const [asFellow, asCoach] = [await app.as(fellow), await app.as(coach)];
  const asAdmin = await app.as(await buildAdmin(app.db));
  const week = { weekNumber: 1, cohortId: cohort.id };
  const rows = async () => (await asAdmin.call(listStipends, { query: { week: 1, cohort: cohort.id } })).rows;
  const risk = async () => (await asCoach.call(readCoachDashboard)).participants[0]?.isStipendAtRisk;
  await asAdmin.call(processStipends, { body: week });
  expect(await rows()).toMatchObject([{ overallEligible: true, rulesVersion: 1 }]);
  expect(await risk()).toBe(false);

  await askForPresence(cohort);
  expect(await risk()).toBe(true);
  const fourth = { name: 'Presence', isMet: false, reason: '2 absences, at most 1 allowed' };
  const criteria = [{ name: 'Attendance', isMet: true }, { name: 'Assignments' }, { name: 'Performance' }, fourth];
  const own = await asFellow.call(listOwnStipendWeeks, { query: {} });
  // The rules of then judge it until it is judged anew.
  expect(own.rows).toMatchObject([{ isEligible: true, isWorkedOut: true, criteria: criteria.slice(0, 3) }]);
  await asAdmin.call(processStipends, { body: week });
  const [row] = await rows();
  expect(row).toMatchObject({ overallEligible: false, rulesVersion: 2, criteria, can: { approve: false } });
  const detail = await asAdmin.call(readStipend, { params: { id: row?.id ?? '' } });
  expect(detail).toMatchObject({ criteria, requirements: ['no more than 1 absence'] });
  expect((await asFellow.call(listOwnStipendWeeks, { query: {} })).rows).toMatchObject([
    { isEligible: false, criteria, missing: [{ kind: 'activity' }, { kind: 'activity' }] },
  ]);
  const { stipend } = await asFellow.call(readParticipantDashboard);
  expect(stipend).toMatchObject({ isEligible: false, criteria, recentWeeks: [{ criteria }] });

  await asFellow.call(askAboutStipend, { body: { ...week, question: 'Why?' } });
  const jobs = await app.runJobs();
  await expect
    .poll(async () => {
      const { messages } = await asCoach.call(readConversation, { params: { id: fellow.id }, query: {} });
      return messages.map(({ text }) => text).join();
    })
    .toContain('Presence: 2 absences, at most 1 allowed (out of reach)');
  await jobs.stop();

  const admins = `${exportStipends.path}?format=csv&scope=week&week=1&cohort=${cohort.id}`;
  const inWords = (state: string) => `Presence: 2 absences, at most 1 allowed (${state})`;
  expect(await (await asAdmin.fetch(admins)).text()).toContain(inWords('so far'));
  expect(await (await asFellow.fetch(`${exportOwnStipends.path}?format=csv`)).text()).toContain(
    inWords('out of reach'),
  );
  const statement = new Uint8Array(await (await asFellow.fetch(printOwnStatement.path)).arrayBuffer());
  const { text } = await extractText(await getDocumentProxy(statement), { mergePages: true });
  expect(text.replace(/\s+/g, ' ')).toContain('Presence 2 of 1');

  await attend(app.db, fellow.id, activities.slice(8, 9));
  await inTransaction(app.db, followLeftChanges);
  expect(await rows()).toMatchObject([{ overallEligible: true, criteria: [{}, {}, {}, { isMet: true }] }]);
});

test('a week that nobody has worked out is judged by the rules in force', async () => {
  const { fellow, cohort } = await fellowOfWeekOne();
  await askForPresence(cohort);
  const asFellow = await app.as(fellow);
  const { rows } = await asFellow.call(listOwnStipendWeeks, { query: {} });
  expect(rows).toMatchObject([{ isWorkedOut: false, isEligible: false, criteria: { length: 4 } }]);
  expect((await asFellow.call(readParticipantDashboard)).stipend?.criteria).toHaveLength(4);
});
