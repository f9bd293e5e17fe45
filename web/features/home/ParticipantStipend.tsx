import { Stack, Text } from '@mantine/core';
import type { ParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import { formatDay } from '../../ui/dates.ts';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';
import { type Retry, SectionNotLoaded } from './SectionNotLoaded.tsx';

type Stipend = NonNullable<ParticipantDashboard['stipend']>;
type RecentWeek = Stipend['recentWeeks'][number];

interface ParticipantStipendProps {
  /** Null if the participant's track pays none, or if it could not be read. */
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
      <CriteriaMeters stipend={stipend} sentence={state.sentence} />
    </HomePanel>
  );
}

/** Shows each criterion as a meter, and says what is still missing (STIP0-05). */
function CriteriaMeters({ stipend: { criteria, decidedAt }, sentence }: { stipend: Stipend; sentence: string }) {
  return (
    <Stack gap="md">
      <Text size="sm">{sentence}</Text>
      {decidedAt ? (
        <Text size="sm" c="dimmed">
          Decided on {formatDay(decidedAt)}. What follows is what it was decided on; what came later does not count.
        </Text>
      ) : null}
      {criteria.map(({ name, isMet, reason, standing, percentage, about }) => (
        <Meter
          key={name}
          label={name}
          percentage={percentage}
          text={standing}
          note={about === 'rating' && !isMet && percentage === 0 ? `Your coach rates the week. ${reason}` : reason}
          isMet={isMet}
        />
      ))}
    </Stack>
  );
}

export const payments: Record<RecentWeek['paymentStatus'], { word: string; tone: Tone }> = {
  pending: { word: 'Pending', tone: 'warning' },
  approved: { word: 'Approved', tone: 'success' },
  paid: { word: 'Paid', tone: 'success' },
  denied: { word: 'Denied', tone: 'danger' },
};

/** Once a week is decided, the decision counts, whatever the criteria say since. */
function stateOf(stipend: Stipend, weekNumber: number): { word: string; tone: Tone; sentence: string } {
  const { weeklyCents, isEligible, recentWeeks, criteria } = stipend;
  const amount = formatCents(weeklyCents);
  const decision = recentWeeks.find((week) => week.weekNumber === weekNumber)?.paymentStatus ?? 'pending';
  if (decision !== 'pending') return { ...payments[decision], sentence: decided[decision](amount) };
  return isEligible
    ? {
        word: 'Eligible',
        tone: 'success',
        sentence: `All ${criteria.length} requirements are met: ${amount} can be approved for this week.`,
      }
    : { word: 'Pending', tone: 'warning', sentence: `For ${amount} this week you still need ${missing(stipend)}.` };
}

/** Says what would meet the open criteria. */
function missing({ criteria }: Stipend): string {
  const needs = criteria.flatMap(({ stillNeeded }) => stillNeeded);
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(needs);
}

const decided = {
  approved: (amount: string) => `${amount} for this week is approved.`,
  paid: (amount: string) => `${amount} for this week is paid.`,
  denied: (amount: string) => `The ${amount} for this week was denied. Your coach can tell you more.`,
};
