import { SimpleGrid, Text } from '@mantine/core';
import { BadgeDollarSign, CalendarCheck, PiggyBank, TrendingUp } from 'lucide-react';
import type { ParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import { type PaidDays, periodName } from '#contract/pay-periods.ts';
import { programmeStanding } from '#contract/standing.ts';
import { StatCard } from '../../ui/StatCard.tsx';

function periodInWords(present: PaidDays): string {
  return present.payPeriod === 'week' ? 'this week' : periodName(present);
}

type FiguresOf = Pick<ParticipantDashboard, 'progress' | 'thisWeek' | 'stipend' | 'notLoaded'>;

/** FELL-12 to FELL-15. A person whose track pays no stipend sees the first two. */
export function ParticipantFigures({ dashboard }: { dashboard: FiguresOf }) {
  const { progress, thisWeek, stipend, notLoaded } = dashboard;
  const totalEarned = formatCents(stipend?.totalEarnedCents ?? 0);
  const hasStipend = stipend !== null || notLoaded.includes('stipend');
  return (
    <SimpleGrid cols={{ base: 2, md: hasStipend ? 4 : 2 }} spacing="md">
      <StatCard
        label="Overall progress"
        value={`${Math.round(progress.overallPercentage)}%`}
        note={programmeStanding(progress).label}
        icon={<TrendingUp size={18} />}
      />
      <StatCard
        label="This week's activities"
        value={`${thisWeek.done}/${thisWeek.total}`}
        note={thisWeek.total === 0 ? 'None this week' : `${thisWeek.done} of ${thisWeek.total} done`}
        icon={<CalendarCheck size={18} />}
      />
      {hasStipend ? (
        <>
          <StatCard
            label="Total earned"
            value={
              <Text span inherit fz={{ base: totalEarned.length > 7 ? 20 : 28, xs: 28 }}>
                {totalEarned}
              </Text>
            }
            note="Approved and paid weeks"
            icon={<PiggyBank size={18} />}
            isNotLoaded={stipend === null}
          />
          <StatCard
            label="Stipend status"
            value={stipend?.isEligible ? 'Eligible' : 'Pending'}
            note={stipend ? `${formatCents(stipend.weeklyCents)} for ${periodInWords(stipend.present)}` : null}
            icon={<BadgeDollarSign size={18} />}
            isNotLoaded={stipend === null}
          />
        </>
      ) : null}
    </SimpleGrid>
  );
}
