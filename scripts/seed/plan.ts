import { specifiedCalendar } from '#contract/default-programme.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt, startOfDay } from '#contract/weeks.ts';

export interface CohortPlan {
  seed: number;
  /** Starts at 1. */
  number: number;
  name: string;
  /** The number of participants. */
  size: number;
  /** The numbers of the first participant and the first coach among all that the seed makes, from 1. */
  firstParticipant: number;
  firstCoach: number;
  startDate: string;
  /** Negative in the weeks before the cohort begins. */
  weeksSinceStart: number;
  /** The weeks that are over. */
  passedWeeks: number;
  state: 'planning' | 'active' | 'completed';
  needsSecondApprover: boolean;
  /** Everything until this instant, the beginning of today, has happened. So a run gives the same all day. */
  until: Date;
}

export const participantsOfCoach = 40;
const largestCohort = 200;
const leastCohorts = 5;
/** The coming cohort is the fourth. */
const comingNumber = 4;
const sites = [
  'Cleveland',
  'Albuquerque',
  'Bakersfield',
  'Chattanooga',
  'Duluth',
  'El Paso',
  'Flint',
  'Gary',
  'Hampton Roads',
  'Knoxville',
  'Lowell',
  'Milwaukee',
  'Newark',
  'Oakland',
  'Pittsburgh',
  'Rochester',
  'San Antonio',
  'Toledo',
  'Worcester',
  'Yakima',
];

/** Plans for even cohorts of at most 200, at least five of them, so that even few people are in all kinds of weeks. */
export function planCohorts(participants: number, seed: number): CohortPlan[] {
  const count = Math.max(Math.ceil(participants / largestCohort), Math.min(leastCohorts, participants));
  const sizes = Array.from({ length: count }, (_, index) => Math.floor((participants + index) / count));
  const monday = lastMonday();
  const until = startOfDay(dayAt(new Date(), houseZone), houseZone);
  return sizes.map((size, index) => {
    const before = sizes.slice(0, index);
    const number = index + 1;
    const weeksSinceStart = weeksSinceStartOf(number);
    const passedWeeks = Math.max(0, Math.min(specifiedCalendar.weeks, weeksSinceStart));
    return {
      seed,
      number,
      name: `Fellowship ${seed}-${String(number).padStart(3, '0')}, ${sites[index % sites.length]}`,
      size,
      firstParticipant: 1 + sum(before),
      firstCoach: 1 + sum(before.map(coachesOf)),
      startDate: addDays(monday, -7 * weeksSinceStart),
      weeksSinceStart,
      passedWeeks,
      state: weeksSinceStart < 0 ? 'planning' : weeksSinceStart > specifiedCalendar.weeks + 1 ? 'completed' : 'active',
      needsSecondApprover: number % leastCohorts === 0,
      until,
    };
  });
}

export function coachesOf(size: number): number {
  return Math.ceil(size / participantsOfCoach);
}

/** One in five is over, one is to come, and the others are in all weeks. */
function weeksSinceStartOf(number: number): number {
  const round = Math.floor((number - 1) / leastCohorts);
  if (number === comingNumber) return -3;
  if (number % leastCohorts === 2) return specifiedCalendar.weeks + 2 + 3 * (round % 10);
  return (7 + 5 * (number - 1) + 3 * round) % specifiedCalendar.weeks;
}

function lastMonday(): string {
  const today = dayAt(new Date(), houseZone);
  return addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
