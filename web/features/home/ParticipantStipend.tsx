import { Stack, Text } from '@mantine/core';
import type { ParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';
import { type Retry, SectionNotLoaded } from './SectionNotLoaded.tsx';

type Stipend = NonNullable<ParticipantDashboard['stipend']>;
type RecentWeek = Stipend['recentWeeks'][number];

interface ParticipantStipendSectionsProps {
  /** Null where the participant's track is paid none, or where it could not be read. */
  stipend: Stipend | null;
  weekNumber: number;
  isNotLoaded: boolean;
  retry: Retry;
}

/** Will I be paid this week, and what came of the weeks before (FELL-25, FELL-30)? */
export function ParticipantStipendSections({
  stipend,
  weekNumber,
  isNotLoaded,
  retry,
}: ParticipantStipendSectionsProps) {
  const title = `Your stipend for week ${weekNumber}`;
  if (isNotLoaded) {
    return <SectionNotLoaded id="stipend" title={title} failure="Failed to load stipend status" retry={retry} />;
  }
  if (!stipend) return null;
  const state = stateOf(stipend, weekNumber);
  return (
    <>
      <HomePanel id="stipend" title={title} aside={<StatusBadge tone={state.tone}>{state.word}</StatusBadge>}>
        <ThreeCriteria stipend={stipend} sentence={state.sentence} />
      </HomePanel>
      <RecentWeeks weeks={stipend.recentWeeks} />
    </>
  );
}

/** The three criteria as meters, with what is still missing in words (STIP0-05). */
function ThreeCriteria({ stipend, sentence }: { stipend: Stipend; sentence: string }) {
  const { activities, assignments, rating, criteria } = stipend;
  return (
    <Stack gap="md">
      <Text size="sm">{sentence}</Text>
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

const payments: Record<RecentWeek['paymentStatus'], { word: string; tone: Tone }> = {
  pending: { word: 'Pending', tone: 'warning' },
  approved: { word: 'Approved', tone: 'success' },
  paid: { word: 'Paid', tone: 'success' },
  denied: { word: 'Denied', tone: 'danger' },
};

/** Once the week is decided the decision is what counts, whatever the criteria say since. */
function stateOf(
  { weeklyCents, isEligible, recentWeeks }: Stipend,
  weekNumber: number,
): { word: string; tone: Tone; sentence: string } {
  const amount = formatCents(weeklyCents);
  const decision = recentWeeks.find((week) => week.weekNumber === weekNumber)?.paymentStatus ?? 'pending';
  if (decision !== 'pending') return { ...payments[decision], sentence: decided[decision](amount) };
  return isEligible
    ? { word: 'Eligible', tone: 'success', sentence: `All three are met: ${amount} can be approved for this week.` }
    : { word: 'Pending', tone: 'warning', sentence: `${amount} for this week when all three are met.` };
}

const decided = {
  approved: (amount: string) => `${amount} for this week is approved.`,
  paid: (amount: string) => `${amount} for this week is paid.`,
  denied: (amount: string) => `The ${amount} for this week was denied. Your coach can tell you more.`,
};

/** STIP0-04, STIP0-05: the newest four, with what each failed on. */
function RecentWeeks({ weeks }: { weeks: RecentWeek[] }) {
  return (
    <HomePanel title="Recent weeks">
      {weeks.length === 0 ? (
        <Text c="dimmed">Your first week shows here once it has been worked out.</Text>
      ) : (
        <DataTable
          label="Criteria and payment of each week"
          columns={recentWeekColumns}
          rows={weeks}
          keyOf={({ weekNumber }) => String(weekNumber)}
        />
      )}
    </HomePanel>
  );
}

const recentWeekColumns: Column<RecentWeek>[] = [
  { key: 'week', label: 'Week', cell: ({ weekNumber }) => weekNumber },
  { key: 'criteria', label: 'Criteria', cell: criteriaInWords },
  { key: 'amount', label: 'Amount', isNumber: true, cell: ({ amountCents }) => formatCents(amountCents) },
  {
    key: 'payment',
    label: 'Payment',
    cell: ({ paymentStatus }) => (
      <StatusBadge tone={payments[paymentStatus].tone}>{payments[paymentStatus].word}</StatusBadge>
    ),
  },
];

function criteriaInWords({ criteria, isEligible }: RecentWeek): string {
  if (isEligible) return 'All three met';
  return Object.values(criteria)
    .filter(({ isMet }) => !isMet)
    .map(({ reason }) => reason)
    .join('; ');
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}
