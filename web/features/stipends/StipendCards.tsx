import { SimpleGrid, Skeleton } from '@mantine/core';
import { BanknoteArrowUp, CircleCheck, Clock, Users } from 'lucide-react';
import type { z } from 'zod';
import { formatCents } from '#contract/money.ts';
import type { WeekSummary } from '#contract/stipends.ts';
import { StatCard } from '../../ui/StatCard.tsx';

interface StipendCardsProps {
  summary: z.output<typeof WeekSummary> | null;
  hasFailed: boolean;
  /** 'week 5' */
  period: string;
}

/** STIP-02 to STIP-06 */
export function StipendCards({ summary, hasFailed, period }: StipendCardsProps) {
  const isLoading = !summary && !hasFailed;
  // It is lower than a line of the figure, so the cards keep their height.
  const figure = (value: string | number | undefined) =>
    isLoading ? <Skeleton display="inline-block" h="0.7em" w={56} /> : (value ?? '–');
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" aria-busy={isLoading}>
      <StatCard
        label="Total Participants"
        value={figure(summary?.totalParticipants)}
        note={`In ${period}`}
        icon={<Users size={20} />}
        isNotLoaded={hasFailed}
      />
      <StatCard
        label="Eligible"
        value={figure(summary?.eligible)}
        note="All criteria met"
        icon={<CircleCheck size={20} />}
        isNotLoaded={hasFailed}
      />
      <StatCard
        label="Pending Approval"
        value={figure(summary?.pendingApproval)}
        note="Eligible, not decided"
        icon={<Clock size={20} />}
        isNotLoaded={hasFailed}
      />
      <StatCard
        label="Total Approved"
        value={figure(summary ? formatCents(summary.approvedCents) : undefined)}
        note="Approved or paid"
        icon={<BanknoteArrowUp size={20} />}
        isNotLoaded={hasFailed}
      />
    </SimpleGrid>
  );
}
