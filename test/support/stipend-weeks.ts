import { newId } from '#server/platform/ids.ts';
import { five, lateCases, onEachDay, type StipendWeekCase } from './stipend-late-weeks.ts';
import { buildWorld, type StipendWorld } from './stipend-world.ts';

const work = (...statuses: (string | undefined)[]) => {
  return (world: StipendWorld) => {
    for (const status of statuses) world.addAssignment({ status });
    world.rate(4);
  };
};
/** Work handed in again after it was sent back. The status is the outcome. */
const workAgain = (status: string) => (world: StipendWorld) => {
  const assignmentId = world.addAssignment();
  world.programme.submissions.push({ assignmentId, userId: world.fellowId, status, roundNumber: 2 });
  world.rate(4);
};
const attendance = (total: number, attended: number) => (world: StipendWorld) => {
  world.addActivities(total, attended);
  world.rate(4);
};

const countsCases: StipendWeekCase[] = [
  { name: 'nothing at all', make: () => undefined, expected: '0/0 0/0 none no' },
  { name: 'no activities, no assignments, rated', make: ({ rate }) => rate(3), expected: '0/0 0/0 3 yes' },
  { name: 'no activities', make: attendance(0, 0), expected: '0/0 0/0 4 yes' },
  { name: 'one activity, attended', make: attendance(1, 1), expected: '1/1 0/0 4 yes' },
  { name: 'one activity, not attended', make: attendance(1, 0), expected: '0/1 0/0 4 no' },
  { name: 'two activities, one attended', make: attendance(2, 1), expected: '1/2 0/0 4 no' },
  { name: 'three of four: 75 %', make: attendance(4, 3), expected: '3/4 0/0 4 no' },
  { name: 'exactly 80 %: four of five', make: attendance(5, 4), expected: '4/5 0/0 4 yes' },
  { name: 'three of five', make: attendance(5, 3), expected: '3/5 0/0 4 no' },
  { name: 'five of six', make: attendance(6, 5), expected: '5/6 0/0 4 yes' },
  { name: 'four of six: two thirds', make: attendance(6, 4), expected: '4/6 0/0 4 no' },
  { name: 'five of seven: 71 %', make: attendance(7, 5), expected: '5/7 0/0 4 no' },
  { name: 'six of seven', make: attendance(7, 6), expected: '6/7 0/0 4 yes' },
  { name: 'seven of nine: 77.8 %', make: attendance(9, 7), expected: '7/9 0/0 4 no' },
  { name: 'exactly 80 %: eight of ten', make: attendance(10, 8), expected: '8/10 0/0 4 yes' },
  { name: 'just below: 79 of 99', make: attendance(99, 79), expected: '79/99 0/0 4 no' },
  { name: 'just below: 799 of 1,000', make: attendance(1000, 799), expected: '799/1000 0/0 4 no' },
  { name: 'exactly 80 %: 800 of 1,000', make: attendance(1000, 800), expected: '800/1000 0/0 4 yes' },
  { name: 'handed in, not reviewed', make: work('submitted'), expected: '1/1 1/1 4 yes' },
  { name: 'accepted', make: work('accepted'), expected: '1/1 1/1 4 yes' },
  { name: 'sent back for revision', make: work('needs_revision'), expected: '1/1 0/1 4 no' },
  { name: 'handed in again after it was sent back', make: workAgain('submitted'), expected: '1/1 1/1 4 yes' },
  { name: 'sent back a second time', make: workAgain('needs_revision'), expected: '1/1 0/1 4 no' },
  { name: 'rejected', make: work('rejected'), expected: '1/1 0/1 4 no' },
  { name: 'not handed in', make: work(undefined), expected: '1/1 0/1 4 no' },
  { name: 'one of two handed in', make: work('accepted', undefined), expected: '2/2 1/2 4 no' },
  { name: 'one accepted, one handed in', make: work('accepted', 'submitted'), expected: '2/2 2/2 4 yes' },
  { name: 'one accepted, one sent back', make: work('accepted', 'needs_revision'), expected: '2/2 1/2 4 no' },
  { name: 'one accepted, one rejected', make: work('accepted', 'rejected'), expected: '2/2 1/2 4 no' },
  {
    name: 'an optional assignment counts like a required one',
    make: (world) => {
      world.addAssignment({ isRequired: false });
      world.rate(5);
    },
    expected: '1/1 0/1 5 no',
  },
  {
    name: 'two assignments of one activity',
    make: (world) => {
      const activityId = world.addActivity({ attendedBy: [world.fellowId] });
      world.addAssignment({ activityId, status: 'accepted' });
      world.addAssignment({ activityId });
      world.rate(5);
    },
    expected: '1/1 1/2 5 no',
  },
  {
    name: 'somebody else handed it in',
    make: (world) => {
      const other = world.addFellow({ cohortId: world.cohortId });
      const assignmentId = world.addAssignment();
      world.programme.submissions.push({ assignmentId, userId: other, status: 'accepted' });
      world.rate(5);
    },
    expected: '1/1 0/1 5 no',
  },
  {
    name: 'somebody else was there',
    make: (world) => {
      world.addActivity({ attendedBy: [world.addFellow({ cohortId: world.cohortId })] });
      world.rate(5);
    },
    expected: '0/1 0/0 5 no',
  },
];

const ratingCases: StipendWeekCase[] = [1, 1.5, 2, 2.5, 3, 3.5, 4.5, 5].map((rating) => ({
  name: `rated ${rating.toFixed(1)}`,
  make: ({ rate }) => rate(rating),
  expected: `0/0 0/0 ${rating} ${rating >= 3 ? 'yes' : 'no'}`,
}));

const otherPlaceCases: StipendWeekCase[] = [
  { name: 'rated in another week', make: ({ rate }) => rate(5, { week: 2 }), expected: '0/0 0/0 none no' },
  {
    name: 'rated in another cohort',
    make: (world) => {
      const cohortId = world.addCohort('2025-09-15');
      world.join({ participantId: world.fellowId, cohortId });
      world.rate(5, { cohortId });
    },
    expected: '0/0 0/0 none no',
  },
  {
    name: 'activities of another week',
    make: (world) => {
      world.addActivities(5, 0, { week: 2 });
      world.rate(3);
    },
    expected: '0/0 0/0 3 yes',
  },
  {
    name: 'two cohorts: what the other one is taught does not count here',
    make: (world) => {
      const cohortId = world.addCohort('2025-09-15');
      world.join({ participantId: world.fellowId, cohortId });
      world.addActivities(4, 0, { cohortId });
      world.addActivities(5, 4);
      world.rate(3);
    },
    expected: '4/5 0/0 3 yes',
  },
  {
    name: 'two cohorts: presence in the other one does not help here',
    make: (world) => {
      const cohortId = world.addCohort('2025-09-15');
      world.join({ participantId: world.fellowId, cohortId });
      world.addActivities(4, 4, { cohortId });
      world.addActivities(5, 3);
      world.rate(3);
    },
    expected: '3/5 0/0 3 no',
  },
  {
    name: 'activities of no cohort are in everybody’s calendar and count',
    make: (world) => {
      world.addActivities(4, 4);
      world.addActivities(1, 0, { cohortId: null });
      world.addActivities(1, 0, { cohortId: null, audiences: ['adjunct'] });
      world.rate(3);
    },
    expected: '4/6 0/0 3 no',
  },
  {
    name: 'AMP sessions are not taught to the fellowship',
    make: (world) => {
      world.addActivities(4, 4);
      world.addActivities(3, 0, { audiences: ['amp'] });
      world.rate(3);
    },
    expected: '4/4 0/0 3 yes',
  },
  {
    name: 'ambassador sessions are not taught to the fellowship',
    make: (world) => {
      world.addActivities(2, 0, { audiences: ['ambassador', 'amp'] });
      world.rate(3);
    },
    expected: '0/0 0/0 3 yes',
  },
  {
    name: 'adjunct sessions are taught to the fellowship',
    make: (world) => {
      world.addActivities(2, 1, { audiences: ['adjunct'] });
      world.rate(3);
    },
    expected: '1/2 0/0 3 no',
  },
  {
    name: 'a session for several audiences counts once',
    make: (world) => {
      world.addActivities(5, 4, { audiences: ['fellowship', 'adjunct', 'amp'] });
      world.rate(3);
    },
    expected: '4/5 0/0 3 yes',
  },
  {
    name: 'assignments below an AMP session do not count',
    make: (world) => {
      world.addAssignment({ activityId: world.addActivity({ audiences: ['amp'] }) });
      world.rate(3);
    },
    expected: '0/0 0/0 3 yes',
  },
];

const contentCases: StipendWeekCase[] = [
  {
    name: 'a hidden activity is out, with its assignments',
    make: (world) => {
      world.addAssignment({ activityId: world.addActivity({ audiences: [] }) });
      world.rate(3);
    },
    expected: '0/0 0/0 3 yes',
  },
  {
    name: 'an archived assignment is out',
    make: (world) => {
      world.addAssignment({ isArchived: true });
      world.rate(3);
    },
    expected: '1/1 0/0 3 yes',
  },
  {
    name: 'assignments of an archived item are out',
    make: (world) => {
      world.addAssignment({ isItemArchived: true });
      world.rate(3);
    },
    expected: '1/1 0/0 3 yes',
  },
  {
    name: 'work on an archived assignment makes up for nothing',
    make: (world) => {
      world.addAssignment({ isArchived: true, status: 'accepted' });
      world.addAssignment();
      world.rate(3);
    },
    expected: '2/2 0/1 3 no',
  },
];

const personCases: StipendWeekCase[] = [
  {
    name: 'a withdrawn member gets no row',
    make: ({ programme, rate }) => {
      for (const membership of programme.memberships) membership.status = 'withdrawn';
      rate(5);
    },
    expected: null,
  },
  {
    name: 'a member who has completed the cohort gets no row',
    make: ({ programme }) => {
      for (const membership of programme.memberships) membership.status = 'completed';
    },
    expected: null,
  },
  ...[
    { name: 'who left on Friday, to its last second, gets no row', endedAt: '2025-09-13T03:59:59Z', isIn: false },
    { name: 'who left on Saturday has the week', endedAt: '2025-09-13T04:00:00Z', isIn: true },
    { name: 'who left on Monday has the week before', endedAt: '2025-09-15T13:00:00Z', isIn: true },
  ].map(({ name, endedAt, isIn }) => ({
    name,
    make: (world: StipendWorld) => {
      onEachDay(world, five);
      for (const membership of world.programme.memberships) Object.assign(membership, { status: 'withdrawn', endedAt });
      world.rate(3);
    },
    expected: isIn ? '5/5 0/0 3 yes' : null,
  })),
  {
    name: 'who became a coach on Monday has the week before',
    make: (world) => {
      onEachDay(world, five);
      for (const person of world.programme.people) person.role = 'coach';
      for (const membership of world.programme.memberships) {
        Object.assign(membership, { status: 'withdrawn', endedAt: '2025-09-15T13:00:00Z' });
      }
      world.rate(3);
    },
    expected: '5/5 0/0 3 yes',
  },
  ...(['adult_mobilization', 'self_learner', null] as const).map((trackType) => ({
    name: `track type ${trackType} gets no row`,
    make: ({ programme }: StipendWorld) => {
      for (const person of programme.people) person.trackType = trackType;
    },
    expected: null,
  })),
  {
    name: 'a coach among the members gets no row',
    make: ({ programme }) => {
      for (const person of programme.people) person.role = 'coach';
    },
    expected: null,
  },
  {
    name: 'a deleted person gets no row',
    make: ({ programme }) => {
      for (const person of programme.people) person.deletedAt = '2025-09-01T00:00:00Z';
    },
    expected: null,
  },
  {
    name: 'everything together, exactly at every limit',
    make: (world) => {
      world.enrolledAt('2025-09-09T13:00:00Z');
      onEachDay(world, five.slice(1));
      world.addActivity({ cohortId: null });
      const activityId = world.addActivity({ day: '2025-09-01' });
      world.addAssignment({ activityId, due: '2025-09-09', status: 'submitted' });
      world.addAssignment({ activityId, due: '2025-09-08' });
      world.addAssignment({ activityId, due: '2025-09-12', isArchived: true });
      world.rate(3);
      world.programme.submissions.push({
        assignmentId: world.addAssignment({ activityId, due: '2025-09-10' }),
        userId: world.fellowId,
        status: 'accepted',
      });
    },
    expected: '4/5 2/2 3 yes',
  },
];

export const stipendWeekCases: StipendWeekCase[] = [
  ...countsCases,
  ...ratingCases,
  ...otherPlaceCases,
  ...contentCases,
  ...lateCases,
  ...personCases,
];

export function worldOf({ start, make }: StipendWeekCase): StipendWorld {
  const world = buildWorld(start);
  make(world);
  world.programme.coachId = newId();
  return world;
}
