import type { StipendWorld } from './stipend-world.ts';

export interface StipendWeekCase {
  name: string;
  /** The cohort's start. The default is 8 September 2025. */
  start?: string;
  week?: number;
  make(world: StipendWorld): void;
  /** The fellow's activities, assignments, rating and whether eligible. Null means no row. */
  expected: string | null;
}

export const five = ['2025-09-08', '2025-09-09', '2025-09-10', '2025-09-11', '2025-09-12'];
export const onEachDay = (world: StipendWorld, attended: string[]) => {
  for (const day of five) world.addActivity({ day, attendedBy: attended.includes(day) ? [world.fellowId] : [] });
};
/** People who joined during the week or after it. */
export const lateCases: StipendWeekCase[] = [
  {
    name: 'joined on Wednesday: Monday and Tuesday do not count',
    make: (world) => {
      world.enrolledAt('2025-09-10T15:00:00Z');
      onEachDay(world, ['2025-09-10', '2025-09-11', '2025-09-12']);
      world.rate(3);
    },
    expected: '3/3 0/0 3 yes',
  },
  {
    name: 'joined on Wednesday and missed one of three',
    make: (world) => {
      world.enrolledAt('2025-09-10T15:00:00Z');
      onEachDay(world, ['2025-09-10', '2025-09-11']);
      world.rate(3);
    },
    expected: '2/3 0/0 3 no',
  },
  {
    name: 'joined on Wednesday: presence on Monday makes up for nothing',
    make: (world) => {
      world.enrolledAt('2025-09-10T15:00:00Z');
      onEachDay(world, ['2025-09-08', '2025-09-09', '2025-09-10', '2025-09-11']);
      world.rate(3);
    },
    expected: '2/3 0/0 3 no',
  },
  {
    name: 'joined on the first day: everything counts',
    make: (world) => {
      world.enrolledAt('2025-09-08T20:00:00Z');
      onEachDay(world, five.slice(1));
      world.rate(3);
    },
    expected: '4/5 0/0 3 yes',
  },
  {
    name: 'joined late on Tuesday in New York, which is Wednesday in London',
    make: (world) => {
      world.enrolledAt('2025-09-10T03:59:00Z');
      onEachDay(world, five.slice(2));
      world.rate(3);
    },
    expected: '3/4 0/0 3 no',
  },
  {
    name: 'joined a minute later, on Wednesday in New York too',
    make: (world) => {
      world.enrolledAt('2025-09-10T04:00:00Z');
      onEachDay(world, five.slice(2));
      world.rate(3);
    },
    expected: '3/3 0/0 3 yes',
  },
  {
    name: 'joined on Friday: one session left',
    make: (world) => {
      world.enrolledAt('2025-09-12T12:00:00Z');
      onEachDay(world, ['2025-09-12']);
      world.rate(3);
    },
    expected: '1/1 0/0 3 yes',
  },
  {
    name: 'joined after the week: it counts whole, so that nobody is paid for nothing',
    make: (world) => {
      world.enrolledAt('2025-09-13T12:00:00Z');
      onEachDay(world, []);
      world.rate(3);
    },
    expected: '0/5 0/0 3 no',
  },
  {
    name: 'joined after the week and caught up with it',
    make: (world) => {
      world.enrolledAt('2025-10-13T12:00:00Z');
      onEachDay(world, five.slice(1));
      world.rate(3);
    },
    expected: '4/5 0/0 3 yes',
  },
  {
    name: 'joined late: an activity without a day counts',
    make: (world) => {
      world.enrolledAt('2025-09-11T12:00:00Z');
      world.addActivities(1, 0);
      world.addActivities(2, 0, { day: '2025-09-08' });
      world.rate(3);
    },
    expected: '0/1 0/0 3 no',
  },
  {
    name: 'joined late: what was due before is not asked for',
    make: (world) => {
      world.enrolledAt('2025-09-11T12:00:00Z');
      const activityId = world.addActivity({ attendedBy: [world.fellowId] });
      world.addAssignment({ activityId, due: '2025-09-10' });
      world.addAssignment({ activityId, due: '2025-09-11', status: 'submitted' });
      world.rate(3);
    },
    expected: '1/1 1/1 3 yes',
  },
  {
    name: 'joined late: work due on that day is asked for',
    make: (world) => {
      world.enrolledAt('2025-09-11T12:00:00Z');
      world.addAssignment({ due: '2025-09-11' });
      world.rate(3);
    },
    expected: '1/1 0/1 3 no',
  },
  {
    name: 'joined late: the item says when its assignment is due',
    make: (world) => {
      world.enrolledAt('2025-09-11T12:00:00Z');
      world.addAssignment({ itemDue: '2025-09-10' });
      world.addAssignment({ itemDue: '2025-09-10', due: '2025-09-14', status: 'accepted' });
      world.rate(3);
    },
    expected: '2/2 1/1 3 yes',
  },
  {
    name: 'joined late: without a due day the day of the session counts',
    make: (world) => {
      world.enrolledAt('2025-09-11T12:00:00Z');
      world.addAssignment({ activityId: world.addActivity({ day: '2025-09-10' }) });
      world.addAssignment({ activityId: world.addActivity({ day: '2025-09-12', attendedBy: [world.fellowId] }) });
      world.rate(3);
    },
    expected: '1/1 0/1 3 no',
  },
  {
    name: 'joined in week 2: week 3 is not touched by it',
    week: 3,
    make: (world) => {
      world.enrolledAt('2025-09-17T12:00:00Z');
      world.addActivities(5, 4, { week: 3, day: '2025-09-22' });
      world.rate(3, { week: 3 });
    },
    expected: '4/5 0/0 3 yes',
  },
  {
    name: 'the week in which the clocks go back',
    start: '2025-09-08',
    week: 8,
    make: (world) => {
      world.enrolledAt('2025-10-29T03:30:00Z');
      world.addActivities(4, 4, { week: 8, day: '2025-10-28' });
      world.addActivities(1, 0, { week: 8, day: '2025-10-27' });
      world.rate(3, { week: 8 });
    },
    expected: '4/4 0/0 3 yes',
  },
  {
    name: 'joined an hour after midnight on the night in which the clocks went back',
    start: '2025-10-30',
    week: 1,
    make: (world) => {
      world.enrolledAt('2025-11-02T05:30:00Z');
      world.addActivities(2, 0, { day: '2025-11-01' });
      world.addActivities(2, 2, { day: '2025-11-02' });
      world.rate(3);
    },
    expected: '2/2 0/0 3 yes',
  },
  {
    name: 'joined in the evening of the day on which the clocks went forward',
    start: '2026-03-05',
    week: 1,
    make: (world) => {
      world.enrolledAt('2026-03-09T03:30:00Z');
      world.addActivities(1, 0, { day: '2026-03-07' });
      world.addActivities(2, 2, { day: '2026-03-08' });
      world.rate(3);
    },
    expected: '2/2 0/0 3 yes',
  },
];
