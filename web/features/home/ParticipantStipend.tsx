import { Group, Stack, Text } from '@mantine/core';
import type { ParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import { Meter } from '../../ui/Meter.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';

type Stipend = ParticipantDashboard['stipend'];
type RecentWeek = Stipend['recentWeeks'][number];

/** The three criteria as meters, with what is still missing in words (STIP0-05). */
export function ParticipantStipend({ stipend, weekNumber }: { stipend: Stipend; weekNumber: number }) {
  const { activities, assignments, rating, criteria } = stipend;
  return (
    <HomePanel
      id="stipend"
      title={`Your stipend of week ${weekNumber}`}
      aside={
        <StatusBadge tone={stipend.isEligible ? 'success' : 'warning'}>
          {stipend.isEligible ? 'Eligible' : 'Pending'}
        </StatusBadge>
      }
    >
      <Stack gap="md">
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
          percentage={rating === null ? 0 : rating * 20}
          text={rating === null ? 'not rated yet' : `${rating.toFixed(1)} of 5`}
          note={criteria.performance.reason}
          isMet={criteria.performance.isMet}
        />
      </Stack>
    </HomePanel>
  );
}

const tones: Record<RecentWeek['paymentStatus'], Tone> = {
  pending: 'warning',
  approved: 'success',
  paid: 'success',
  denied: 'danger',
};

/** STIP0-04: the newest four. */
export function ParticipantRecentWeeks({ weeks }: { weeks: RecentWeek[] }) {
  return (
    <HomePanel title="Recent weeks">
      {weeks.length === 0 ? <Text c="dimmed">Your first week will show here when it is worked out.</Text> : null}
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {weeks.map((week) => (
          <Group key={week.weekNumber} renderRoot={(props) => <li {...props} />} justify="space-between" wrap="nowrap">
            <Text>Week {week.weekNumber}</Text>
            <Group gap="sm" wrap="nowrap">
              <Text style={{ fontVariantNumeric: 'tabular-nums' }}>{formatCents(week.amountCents)}</Text>
              <StatusBadge tone={tones[week.paymentStatus]}>{week.paymentStatus}</StatusBadge>
            </Group>
          </Group>
        ))}
      </Stack>
    </HomePanel>
  );
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}
