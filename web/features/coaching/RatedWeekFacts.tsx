import { type RatedWeek, ratingStake } from '#contract/rated-weeks.ts';
import { TwoFacts } from './TwoFacts.tsx';

/** Stands beside the field of a rating: what the person did that week, and what the rating decides or decided for its pay. */
export function RatedWeekFacts({ week, rating }: { week: RatedWeek | undefined; rating: number | null }) {
  if (!week) return null;
  const { activities, assignments } = week;
  const done = [
    activities.total === 0 ? 'No activities' : `Attended ${activities.accessed} of ${activities.total}`,
    assignments.total === 0 ? 'no assignments' : `handed in ${assignments.submitted} of ${assignments.total}`,
    ...(assignments.accepted > 0 ? [`${assignments.accepted} accepted`] : []),
  ];
  return <TwoFacts first={done.join(', ')} second={ratingStake(week, rating).sentence} />;
}
