import type { ParticipantDashboard } from '#contract/home.ts';
import { weekStanding } from '#contract/week-standing.ts';
import { programmeWeek } from '#contract/weeks.ts';

export type Stipend = NonNullable<ParticipantDashboard['stipend']>;
export type WeekOfDashboard = NonNullable<ParticipantDashboard['week']>;

/** The standing of the week that the dashboard opens with. */
export function presentWeekStanding(stipend: Stipend, { number, ...days }: WeekOfDashboard, today: string) {
  const { recentWeeks, weeklyCents, criteria, isEligible, isOutOfReach } = stipend;
  const decision = recentWeeks.find(({ weekNumber }) => weekNumber === number)?.paymentStatus ?? 'pending';
  return weekStanding({
    ...days,
    ...{ weekNumber: number, today, reader: 'participant', decision, amountCents: weeklyCents },
    ...{ criteria, isEligible, isOutOfReach },
  });
}

interface RecentWeekPlace {
  startDate: string;
  today: string;
  /** The number of the week that the dashboard opens with. */
  present: number;
  isOutOfReach: boolean;
}

/** The standing of one of the newest weeks. Only the present one can still be running. */
export function recentWeekStanding(
  week: Stipend['recentWeeks'][number],
  { startDate, today, present, isOutOfReach }: RecentWeekPlace,
) {
  const { firstDay, lastDay } = programmeWeek(startDate, week.weekNumber);
  return weekStanding({
    ...week,
    ...{ firstDay, lastDay, today, reader: 'participant', decision: week.paymentStatus },
    isOutOfReach: week.weekNumber === present && isOutOfReach,
  });
}
