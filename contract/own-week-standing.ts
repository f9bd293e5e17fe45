import type { ParticipantDashboard } from './home.ts';
import { activitiesStanding, completionSentence, type WeekStandingFacts, weekStanding } from './week-standing.ts';
import { programmeWeek } from './weeks.ts';

export type Stipend = NonNullable<ParticipantDashboard['stipend']>;
export type WeekOfDashboard = NonNullable<ParticipantDashboard['week']>;

/** The standing of the week that the dashboard opens with. */
export function presentWeekStanding(stipend: Stipend, week: WeekOfDashboard, today: string) {
  return weekStanding(presentWeekFacts(stipend, week, today));
}

interface RecentWeekPlace {
  startDate: string;
  today: string;
  /** The number of the week that the dashboard opens with. */
  present: number;
  isOutOfReach: boolean;
}

/** The standing of one of the newest weeks. Only the present one can still be running. */
export function recentWeekStanding(week: Stipend['recentWeeks'][number], place: RecentWeekPlace) {
  return weekStanding(recentWeekFacts(week, place));
}

/**
 * Says what a completed activity brought for its week: for the week's pay if it has one, or else for its activities. It
 * is null for a week of which the dashboard knows nothing.
 */
export function completionWords(dashboard: ParticipantDashboard, weekNumber: number): string | null {
  const { cohort, week, stipend, thisWeek, today } = dashboard;
  if (!cohort || !week) return null;
  if (weekNumber === week.number) {
    return stipend ? completionSentence(presentWeekFacts(stipend, week, today)) : activitiesStanding(thisWeek).sentence;
  }
  const recent = stipend?.recentWeeks.find((one) => one.weekNumber === weekNumber);
  if (!recent) return null;
  const place = { startDate: cohort.startDate, today, present: week.number, isOutOfReach: false };
  return completionSentence(recentWeekFacts(recent, place));
}

function presentWeekFacts(stipend: Stipend, { number, ...days }: WeekOfDashboard, today: string): WeekStandingFacts {
  const { recentWeeks, weeklyCents, criteria, isEligible, isOutOfReach } = stipend;
  const decision = recentWeeks.find(({ weekNumber }) => weekNumber === number)?.paymentStatus ?? 'pending';
  return {
    ...days,
    ...{ weekNumber: number, today, reader: 'participant', decision, amountCents: weeklyCents },
    ...{ criteria, isEligible, isOutOfReach },
  };
}

function recentWeekFacts(
  week: Stipend['recentWeeks'][number],
  { startDate, today, present, isOutOfReach }: RecentWeekPlace,
): WeekStandingFacts {
  const { firstDay, lastDay } = programmeWeek(startDate, week.weekNumber);
  return {
    ...week,
    ...{ firstDay, lastDay, today, reader: 'participant', decision: week.paymentStatus },
    isOutOfReach: week.weekNumber === present && isOutOfReach,
  };
}
