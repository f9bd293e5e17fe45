import { Stack, Text } from '@mantine/core';
import type { ParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import { activitiesStillNeeded, ratingNeeded } from '#contract/stipend-rules.ts';
import { formatDay } from '../../ui/dates.ts';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';
import { type Retry, SectionNotLoaded } from './SectionNotLoaded.tsx';

type Stipend = NonNullable<ParticipantDashboard['stipend']>;
type RecentWeek = Stipend['recentWeeks'][number];

interface ParticipantStipendProps {
  /** Null where the participant's track is paid none, or where it could not be read. */
  stipend: Stipend | null;
  weekNumber: number;
  isNotLoaded: boolean;
  retry: Retry;
}

/** Will I be paid this week (FELL-25, FELL-30)? */
export function ParticipantStipend({ stipend, weekNumber, isNotLoaded, retry }: ParticipantStipendProps) {
  const title = `Your stipend for week ${weekNumber}`;
  if (isNotLoaded) {
    return <SectionNotLoaded id="stipend" title={title} failure="Failed to load stipend status" retry={retry} />;
  }
  if (!stipend) return null;
  const state = stateOf(stipend, weekNumber);
  return (
    <HomePanel id="stipend" title={title} aside={<StatusBadge tone={state.tone}>{state.word}</StatusBadge>}>
      <ThreeCriteria stipend={stipend} sentence={state.sentence} />
    </HomePanel>
  );
}

/** The three criteria as meters, with what is still missing in words (STIP0-05). */
function ThreeCriteria({ stipend, sentence }: { stipend: Stipend; sentence: string }) {
  const { activities, assignments, rating, criteria } = stipend;
  return (
    <Stack gap="md">
      <Text size="sm">{sentence}</Text>
      {stipend.decidedAt ? (
        <Text size="sm" c="dimmed">
          Decided on {formatDay(stipend.decidedAt)}. What follows is what it was decided on; what came later does not
          count.
        </Text>
      ) : null}
      <Meter
        label="Attendance"
        percentage={shareOf(activities.accessed, activities.total)}
        text={`${activities.accessed} of ${activities.total}`}
        note={criteria.attendance.reason}
        isMet={criteria.attendance.isMet}
      />
      <Meter
        label="Assignments"
        percentage={shareOf(assignments.submitted, assignments.total)}
        text={`${assignments.submitted} of ${assignments.total}`}
        note={criteria.assignments.reason}
        isMet={criteria.assignments.isMet}
      />
      <Meter
        label="Performance"
        percentage={(rating ?? 0) * 20}
        text={rating === null ? 'Not rated yet' : `${rating.toFixed(1)} of 5`}
        note={
          rating === null ? `Your coach rates the week. ${criteria.performance.reason}` : criteria.performance.reason
        }
        isMet={criteria.performance.isMet}
      />
    </Stack>
  );
}

export const payments: Record<RecentWeek['paymentStatus'], { word: string; tone: Tone }> = {
  pending: { word: 'Pending', tone: 'warning' },
  approved: { word: 'Approved', tone: 'success' },
  paid: { word: 'Paid', tone: 'success' },
  denied: { word: 'Denied', tone: 'danger' },
};

/** Once the week is decided the decision is what counts, whatever the criteria say since. */
function stateOf(stipend: Stipend, weekNumber: number): { word: string; tone: Tone; sentence: string } {
  const { weeklyCents, isEligible, recentWeeks } = stipend;
  const amount = formatCents(weeklyCents);
  const decision = recentWeeks.find((week) => week.weekNumber === weekNumber)?.paymentStatus ?? 'pending';
  if (decision !== 'pending') return { ...payments[decision], sentence: decided[decision](amount) };
  return isEligible
    ? {
        word: 'Eligible',
        tone: 'success',
        sentence: `All 3 requirements are met: ${amount} can be approved for this week.`,
      }
    : { word: 'Pending', tone: 'warning', sentence: `For ${amount} this week you still need ${missing(stipend)}.` };
}

/** What would meet the criteria that are not met. */
function missing({ criteria, activities, assignments }: Stipend): string {
  const toAttend = activitiesStillNeeded({
    activitiesTotal: activities.total,
    activitiesAccessed: activities.accessed,
  });
  const toHandIn = assignments.total - assignments.submitted;
  const needs = [
    criteria.attendance.isMet ? null : `${toAttend} more ${toAttend === 1 ? 'activity' : 'activities'}`,
    criteria.assignments.isMet ? null : `${toHandIn} more ${toHandIn === 1 ? 'assignment' : 'assignments'}`,
    criteria.performance.isMet ? null : `a rating of ${ratingNeeded.toFixed(1)} or more`,
  ].filter((need) => need !== null);
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(needs);
}

const decided = {
  approved: (amount: string) => `${amount} for this week is approved.`,
  paid: (amount: string) => `${amount} for this week is paid.`,
  denied: (amount: string) => `The ${amount} for this week was denied. Your coach can tell you more.`,
};

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}
