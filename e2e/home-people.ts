import { addDays } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildWeeklyRequirement } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, buildRating, buildStipend } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { withoutNotes } from '#test/support/without-notes.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { today } from './learning-people.ts';

/** The Monday four weeks ago, so that today is in week 5. At a weekend it is later, so that today is the last day of it. */
function startInWeekFive(): string {
  const daysIntoWeek = Math.min(4, (new Date(`${today()}T12:00:00Z`).getUTCDay() + 6) % 7);
  return addDays(today(), -28 - daysIntoWeek);
}

/**
 * A participant in week 5: 3 of 4 activities attended, one of two assignments handed in, rated 3.5. Weeks 1 to 4 are
 * decided.
 */
export function participantInWeekFive({ db }: Pick<InstanceWithDatabase, 'db'>) {
  return withoutNotes(db, buildWeekFive);
}

async function buildWeekFive(db: Db) {
  const coach = await buildCoach(db, { firstName: 'Casey', lastName: 'Cole' });
  await db
    .updateTable('profiles')
    .set({
      schedulingEnabled: true,
      schedulingLink: 'https://calendly.com/casey',
      externalBookingInstructions: 'Mornings suit me best.',
    })
    .where('id', '=', coach.id)
    .execute();
  const participant = await buildParticipant(db, { firstName: 'Robin', lastName: 'Reyes' });
  const startDate = startInWeekFive();
  const cohort = await buildCohort(db, {
    startDate,
    unlockedWeeks: 6,
    name: `Fellowship of ${startDate} for ${participant.id}`,
  });
  const fellowId = participant.id;
  await enrol(db, { cohortId: cohort.id, participantId: fellowId, coachId: coach.id });
  const activities = [];
  for (const title of ['Grid basics', 'Safety on site', 'Reading a one-line diagram', 'Metering lab']) {
    activities.push(
      await buildActivity(db, {
        cohortId: cohort.id,
        title,
        weekNumber: 5,
        sessionDate: today(),
        sessionTime: '14:00',
      }),
    );
  }
  const upcoming = [
    ['Substation visit', 2],
    ['Protection and relays', 6],
    ['Transformer workshop', 7],
    ['Career fair', 8],
    ['Mock interviews', 9],
  ] as const;
  for (const [title, days] of upcoming) {
    await buildActivity(db, { cohortId: cohort.id, title, weekNumber: 6, sessionDate: addDays(today(), days) });
  }
  await attend(db, fellowId, activities.slice(0, 3));
  const trackActivity = { trainingActivityId: activities[0]?.id ?? '' };
  const handedIn = await buildAssignment(db, { ...trackActivity, title: 'Feeder report' });
  await buildAssignment(db, { ...trackActivity, title: 'Load flow exercise', dueDate: addDays(today(), 1) });
  await buildSubmission(db, { assignmentId: handedIn.id, userId: fellowId });
  await buildRating(db, { fellowId, cohortId: cohort.id, weekNumber: 5, overallRating: 3.5 });
  await buildWeeklyRequirement(db, { cohortId: cohort.id, title: 'Week 5 quiz', dueDate: addDays(today(), 3) });
  await buildWeeklyRequirement(db, {
    cohortId: cohort.id,
    title: 'Site report',
    type: 'report',
    dueDate: addDays(today(), 4),
  });
  const decided = { fellowId, cohortId: cohort.id };
  await buildStipend(db, { ...decided, weekNumber: 1, paymentStatus: 'paid' });
  await buildStipend(db, { ...decided, weekNumber: 2, paymentStatus: 'paid' });
  await buildStipend(db, { ...decided, weekNumber: 3, paymentStatus: 'approved', stipendAmountCents: 42_550 });
  await buildStipend(db, { ...decided, weekNumber: 4, performanceRating: 2.5 });
  await buildCoachingSession(db, {
    coachId: coach.id,
    participantId: fellowId,
    scheduledAt: `${addDays(today(), 2)}T15:00:00Z`,
    teamsLink: 'https://meet.example/casey',
  });
  await message(db, coach, participant);
  return { participant, cohort, coach, activities };
}

/** Twelve participants. Seven of them wait for a review. One session today is not cancelled. */
export async function coachWithWork({ db }: Pick<InstanceWithDatabase, 'db'>) {
  const coach = await buildCoach(db, { firstName: 'Casey', lastName: 'Cole' });
  const cohort = await buildCohort(db, { startDate: startInWeekFive() });
  const activity = await buildActivity(db, {
    cohortId: cohort.id,
    title: 'Line safety',
    weekNumber: 4,
    sessionDate: addDays(today(), -7),
  });
  const assignment = await buildAssignment(db, { title: 'Feeder report', trainingActivityId: activity.id });
  const people: BuiltPerson[] = [];
  for (let number = 1; number <= 12; number += 1) {
    const person = await buildParticipant(db, { firstName: `Person${number}`, lastName: 'Rivera' });
    await assignCoach(db, { participantId: person.id, coachId: coach.id });
    if (number === 12) await enrol(db, { cohortId: cohort.id, participantId: person.id });
    people.push(person);
  }
  for (const [index, { id }] of people.slice(0, 8).entries()) {
    const submittedAt = new Date(Date.now() - (8 - index) * 3_600_000);
    const status = index === 7 ? 'accepted' : 'submitted';
    await buildSubmission(db, { assignmentId: assignment.id, userId: id, submittedAt, status, reviewedBy: coach.id });
  }
  const at = (hour: string, facts: object = {}) =>
    buildCoachingSession(db, {
      coachId: coach.id,
      participantId: people[0]?.id ?? '',
      scheduledAt: `${today()}T${hour}:00:00Z`,
      agenda: 'The load flow exercise',
      ...facts,
    });
  await at('15');
  await at('17', { status: 'cancelled' });
  return { coach, people };
}

async function message(db: Db, sender: BuiltPerson, recipient: BuiltPerson) {
  await db
    .insertInto('coachMessages')
    .values({ senderId: sender.id, recipientId: recipient.id, recipientType: 'fellow', message: 'How was the visit?' })
    .execute();
}
