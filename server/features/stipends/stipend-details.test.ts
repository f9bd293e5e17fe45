import { afterAll, beforeAll, expect, test } from 'vitest';
import { handOverWeek, markStipendPaid } from '#contract/payments.ts';
import { approveStipend, changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildParticipant } from '#test/factories/people.ts';
import {
  badlyRated,
  buildRating,
  buildStipend,
  buildSubmission,
  buildWeekActivities,
} from '#test/factories/stipends.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';
import { processWeek } from './stipends.ts';

let paying: Awaited<ReturnType<typeof startPayingAppOfAda>>;
beforeAll(async () => {
  paying = await startPayingAppOfAda();
});
afterAll(() => paying.close());

const detailOf = (id: string) => paying.admin.call(readStipend, { params: { id } });

test('a stipend without evidence has no activities, work or comment, and says what it still needs', async () => {
  const failed = await buildStipend(paying.app.db, { ...badlyRated, activitiesAccessed: 3 });
  expect(await detailOf(failed.id)).toMatchObject({
    ...{ assignments: [], attendance: [], ratingComment: null, history: [] },
    requirements: ['1 more activity', 'a rating of 3.0 or more'],
  });
  const met = await buildStipend(paying.app.db);
  expect((await detailOf(met.id)).requirements).toBeNull();
  const left = await buildStipend(paying.app.db, { isMember: false });
  expect((await detailOf(left.id)).requirements).toEqual(['be in the cohort until the week is over']);
});

test('the history says of each step what was owed, handed over and paid before and after, the newest first', async () => {
  const { app, admin } = paying;
  const stipend = await buildStipend(app.db, { weekNumber: 7 });
  const params = { id: stipend.id };
  const reason = 'A day was missing.';
  await admin.call(approveStipend, { params, body: { version: stipend.version } });
  await admin.call(handOverWeek, { body: { weekNumber: 7 } });
  const { version } = await detailOf(stipend.id);
  const paid = await admin.call(markStipendPaid, { params, body: { version, reference: 'CHK 5' } });
  await admin.call(changeStipendAmount, { params, body: { version: paid.version, amountCents: 60_000, reason } });
  await admin.call(handOverWeek, { body: { weekNumber: 7 } });
  const { history } = await detailOf(stipend.id);
  const step = { position: expect.any(Number), at: expect.stringMatching(/Z$/), actorName: 'Ada Admin', reason: null };
  expect(history).toEqual([
    { ...step, action: 'handover', detail: '$500 handed over → paid, $600 handed over' },
    { ...step, action: 'adjustment', detail: 'paid, $500 → paid, $600', reason },
    { ...step, action: 'payment', detail: 'approved, $500 → paid, $500, $500 paid, reference CHK 5' },
    { ...step, action: 'handover', detail: '$0 handed over → approved, $500 handed over' },
    { ...step, action: 'approval', detail: 'pending, $500 → approved, $500' },
  ]);
});

test('the work of a week is told with the feedback on it, and each activity with its day', async () => {
  const { app } = paying;
  const { id: cohortId } = await buildCohort(app.db);
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId, participantId: fellow.id });
  const [activity] = await buildWeekActivities(app.db, 1, { cohortId, sessionDate: '2025-09-10' });
  const inActivity = { trainingActivityId: activity?.id ?? '' };
  const essay = await buildAssignment(app.db, { ...inActivity, title: 'Essay' });
  await buildAssignment(app.db, { ...inActivity, title: 'Quiz' });
  const feedback = 'Please name the sources.';
  await buildSubmission(app.db, { assignmentId: essay.id, userId: fellow.id, status: 'needs_revision', feedback });
  await buildRating(app.db, { fellowId: fellow.id, cohortId, comment: 'Was late.' });
  await processWeek(app.db, 1, cohortId);
  const { id } = await app.db
    .selectFrom('stipendEligibility')
    .select('id')
    .where('fellowId', '=', fellow.id)
    .executeTakeFirstOrThrow();
  const detail = await detailOf(id);
  expect(detail.assignments.map((work) => [work.title, work.status, work.feedback])).toEqual([
    ['Essay', 'needs_revision', feedback],
    ['Quiz', null, null],
  ]);
  expect(detail.attendance).toEqual([
    { activityId: activity?.id, title: 'Session 1', sessionDate: '2025-09-10', accessedAt: null, counts: true },
  ]);
  expect(detail.ratingComment).toBe('Was late.');
});
