import type { ParticipantDashboard } from './home.ts';
import { periodOn } from './pay-periods.ts';
import { activitiesStanding, completionSentence, type WeekStandingFacts, weekStanding } from './week-standing.ts';
import { addDays } from './weeks.ts';

export type Stipend = NonNullable<ParticipantDashboard['stipend']>;
export type WeekOfDashboard = NonNullable<ParticipantDashboard['week']>;

/** The standing of the stipend that pays for today. */
export function presentWeekStanding(stipend: Stipend, today: string) {
  return weekStanding(presentWeekFacts(stipend, today));
}

interface RecentWeekPlace {
  today: string;
  /** The number of the stipend that pays for today. */
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
  if (!stipend) return weekNumber === week.number ? activitiesStanding(thisWeek).sentence : null;
  const { startDate, calendar } = cohort;
  const paid = periodOn(startDate, addDays(startDate, 7 * (weekNumber - 1)), calendar);
  if (paid === stipend.present.weekNumber) return completionSentence(presentWeekFacts(stipend, today));
  const recent = stipend.recentWeeks.find((one) => one.weekNumber === paid);
  if (!recent) return null;
  return completionSentence(
    recentWeekFacts(recent, { today, present: stipend.present.weekNumber, isOutOfReach: false }),
  );
}

function presentWeekFacts(stipend: Stipend, today: string): WeekStandingFacts {
  const { present, recentWeeks, weeklyCents, criteria, isEligible, isOutOfReach } = stipend;
  const decision = recentWeeks.find(({ weekNumber }) => weekNumber === present.weekNumber)?.paymentStatus ?? 'pending';
  return {
    ...present,
    ...{ today, reader: 'participant', decision, amountCents: weeklyCents },
    ...{ criteria, isEligible, isOutOfReach },
  };
}

function recentWeekFacts(
  week: Stipend['recentWeeks'][number],
  { today, present, isOutOfReach }: RecentWeekPlace,
): WeekStandingFacts {
  return {
    ...week,
    ...{ today, reader: 'participant', decision: week.paymentStatus },
    isOutOfReach: week.weekNumber === present && isOutOfReach,
  };
}
