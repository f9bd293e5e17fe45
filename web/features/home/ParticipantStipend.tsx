import { Stack, Text } from '@mantine/core';
import { presentWeekStanding, type Stipend, type WeekOfDashboard } from '#contract/own-week-standing.ts';
import { periodName, periodWords } from '#contract/pay-periods.ts';
import { criterionStanding, weekPhase } from '#contract/week-standing.ts';
import { formatDay } from '../../ui/dates.ts';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { StipendHelp } from '../stipends/StipendHelp.tsx';
import { HomePanel } from './HomePanel.tsx';
import { type Retry, SectionNotLoaded } from './SectionNotLoaded.tsx';

interface ParticipantStipendProps {
  /** Null if the participant's track pays none, or if it could not be read. */
  stipend: Stipend | null;
  week: WeekOfDashboard;
  today: string;
  isNotLoaded: boolean;
  retry: Retry;
}

/** Will I be paid this week (FELL-25, FELL-30)? */
export function ParticipantStipend({ stipend, week, today, isNotLoaded, retry }: ParticipantStipendProps) {
  if (isNotLoaded) return <StipendNotLoaded weekNumber={week.number} retry={retry} />;
  if (!stipend) return null;
  const { color, label, sentence } = presentWeekStanding(stipend, today);
  return (
    <HomePanel
      id="stipend"
      title={titleOf(periodName(stipend.present))}
      aside={<StatusBadge tone={color}>{label}</StatusBadge>}
    >
      <Stack gap="md">
        <Text size="sm">{sentence}</Text>
        {stipend.decidedAt ? (
          <Text size="sm" c="dimmed">
            Decided on {formatDay(stipend.decidedAt)}. What follows is what it was decided on; what came later does not
            count.
          </Text>
        ) : (
          <Text size="sm" fw={550}>
            Needed for {periodWords[stipend.present.payPeriod].ofPresent} pay
          </Text>
        )}
        <CriteriaMeters
          stipend={stipend}
          phase={weekPhase(stipend.present, today, stipend.decidedAt ? 'approved' : 'pending')}
        />
        <StipendHelp rules={stipend.rules} payPeriod={stipend.present.payPeriod} />
      </Stack>
    </HomePanel>
  );
}

/** Without a week it names none. */
export function StipendNotLoaded({ weekNumber, retry }: { weekNumber: number | null; retry: Retry }) {
  const failure = 'Failed to load stipend status';
  const title = weekNumber === null ? 'Your stipend' : titleOf(`week ${weekNumber}`);
  return <SectionNotLoaded id="stipend" title={title} failure={failure} retry={retry} />;
}

function titleOf(period: string): string {
  return `Your stipend for ${period}`;
}

/** Shows each criterion as a meter, and says what is still missing (STIP0-05). */
function CriteriaMeters({ stipend, phase }: { stipend: Stipend; phase: ReturnType<typeof weekPhase> }) {
  return stipend.criteria.map((criterion) => {
    const { name, isMet, standing, percentage } = criterion;
    const { state, label, sentence } = criterionStanding(criterion, phase, 'participant');
    // The meter's own text says already that there is no rating.
    const note =
      state === 'waiting_for_rating' ? `${label}. You need ${criterion.stillNeeded.join(' and ')}.` : sentence;
    return <Meter key={name} label={name} percentage={percentage} text={standing} note={note} isMet={isMet} />;
  });
}
