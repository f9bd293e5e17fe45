import fc from 'fast-check';
import { newId } from '#server/platform/ids.ts';
import type { StipendProgramme } from './stipend-programme.ts';
import { buildWorld, firstMonday } from './stipend-world.ts';

const days = [null, '2025-09-08', '2025-09-10', '2025-09-12', '2025-09-15', '2025-09-17', '2025-09-22'];
const audiences = ['fellowship', 'adjunct', 'amp', 'ambassador'] as const;
const statuses = ['submitted', 'accepted', 'needs_revision', 'rejected', 'reviewed'];
const instants = [
  '2025-08-01T12:00:00Z',
  '2025-09-09T03:59:59Z',
  '2025-09-10T04:00:00Z',
  '2025-09-12T23:00:00Z',
  '2025-09-13T04:00:00Z',
  '2025-09-17T12:00:00Z',
  '2025-10-01T12:00:00Z',
];

const ends = [
  '2025-09-10T12:00:00Z',
  // Friday in New York, to its last second, and Saturday.
  '2025-09-12T12:00:00Z',
  '2025-09-13T03:59:59Z',
  '2025-09-13T04:00:00Z',
  '2025-09-20T12:00:00Z',
  '2025-11-08T04:59:59Z',
  '2025-11-08T05:00:00Z',
];

const choice = fc.record({
  secondStart: fc.constantFrom(firstMonday, '2025-09-15', '2025-10-27'),
  people: fc.array(
    fc.record({
      trackType: fc.constantFrom('fellowship', 'fellowship', 'fellowship', 'adult_mobilization', null),
      role: fc.constantFrom('participant', 'participant', 'participant', 'coach'),
      isDeleted: fc.constantFrom(false, false, false, true),
      cohorts: fc.uniqueArray(fc.nat(1), { minLength: 1, maxLength: 2 }),
      enrolledAt: fc.constantFrom(...instants),
      status: fc.constantFrom('active', 'active', 'active', 'withdrawn', 'completed'),
      endedAt: fc.constantFrom(null, ...ends),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  activities: fc.array(
    fc.record({
      cohort: fc.constantFrom(0, 0, 0, 1, null),
      week: fc.constantFrom(1, 1, 2),
      day: fc.constantFrom(...days),
      audiences: fc.uniqueArray(fc.constantFrom(...audiences), { maxLength: 3 }),
      assignments: fc.array(
        fc.record({
          due: fc.constantFrom(...days),
          itemDue: fc.constantFrom(...days),
          isArchived: fc.constantFrom(false, false, true),
          isItemArchived: fc.constantFrom(false, false, false, true),
          isRequired: fc.boolean(),
          statuses: fc.array(fc.constantFrom(null, ...statuses), { minLength: 5, maxLength: 5 }),
        }),
        { maxLength: 2 },
      ),
      attended: fc.array(fc.constantFrom(true, true, true, false), { minLength: 5, maxLength: 5 }),
    }),
    { maxLength: 8 },
  ),
  ratings: fc.array(fc.constantFrom(null, 1, 2.5, 3, 3, 3.5, 4, 5), { minLength: 20, maxLength: 20 }),
});

/** Programmes of two cohorts, up to five people in one or both, and two weeks. */
export const programmes: fc.Arbitrary<StipendProgramme> = choice.map((drawn) => {
  const world = buildWorld();
  const { programme } = world;
  programme.people.length = 0;
  programme.memberships.length = 0;
  const cohortIds = [world.cohortId, world.addCohort(drawn.secondStart)];
  const people = drawn.people.map(({ trackType, role, isDeleted, cohorts, enrolledAt, status, endedAt: ended }) => {
    const participantId = world.addPerson({ trackType, role, deletedAt: isDeleted ? '2025-09-01T00:00:00Z' : null });
    for (const cohort of cohorts) {
      const endedAt = status === 'active' ? null : ended;
      world.join({ participantId, cohortId: cohortIds[cohort] ?? world.cohortId, enrolledAt, status, endedAt });
    }
    return participantId;
  });
  for (const activity of drawn.activities) {
    const activityId = world.addActivity({
      cohortId: activity.cohort === null ? null : (cohortIds[activity.cohort] ?? null),
      week: activity.week,
      day: activity.day,
      audiences: activity.audiences,
      attendedBy: people.filter((_, index) => activity.attended[index]),
    });
    for (const { statuses: given, ...assignment } of activity.assignments) {
      const assignmentId = world.addAssignment({ ...assignment, activityId });
      people.forEach((userId, index) => {
        const status = given[index];
        if (status) programme.submissions.push({ assignmentId, userId, status });
      });
    }
  }
  let next = 0;
  for (const fellowId of people) {
    for (const cohortId of cohortIds) {
      for (const week of [1, 2]) {
        const rating = drawn.ratings[next] ?? null;
        next += 1;
        if (rating !== null) world.rate(rating, { fellowId, cohortId, week });
      }
    }
  }
  programme.coachId = newId();
  return programme;
});

/** What happens to a membership after the rows were made, and to its row in each of the two weeks. */
export const fates = fc.array(
  fc.record({
    status: fc.constantFrom('active', 'active', 'withdrawn', 'completed'),
    endedAt: fc.constantFrom(...ends),
    decisions: fc.array(fc.constantFrom('none', 'none', 'approved', 'denied', 'amount'), {
      minLength: 2,
      maxLength: 2,
    }),
  }),
  { minLength: 10, maxLength: 10 },
);
