import { Grid, SimpleGrid, Stack } from '@mantine/core';
import { BadgeDollarSign, CalendarCheck, PiggyBank, TrendingUp } from 'lucide-react';
import { specifiedRules } from '#contract/default-programme.ts';
import { formatCents } from '#contract/money.ts';
import { StatCard } from '../../ui/StatCard.tsx';
import { ParticipantCoaching } from './ParticipantCoaching.tsx';
import { ParticipantQuickActions } from './ParticipantQuickActions.tsx';
import { StipendNotLoaded } from './ParticipantStipend.tsx';
import type { Retry } from './SectionNotLoaded.tsx';

/** FELL-28: the usual stipend stands in, marked as not loaded. The page's lead says week 1. Every link works. */
export function ParticipantOffline({ retry }: { retry: Retry }) {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <StatCard label="Overall progress" value="0%" icon={<TrendingUp size={18} />} isNotLoaded />
        <StatCard label="This week's activities" value="0/0" icon={<CalendarCheck size={18} />} isNotLoaded />
        <StatCard label="Total earned" value={formatCents(0)} icon={<PiggyBank size={18} />} isNotLoaded />
        <StatCard
          label="Weekly stipend"
          value={formatCents(specifiedRules.amounts.perPeriodCents)}
          icon={<BadgeDollarSign size={18} />}
          isNotLoaded
        />
      </SimpleGrid>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <StipendNotLoaded weekNumber={null} retry={retry} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <ParticipantCoaching coaching={null} retry={retry} />
            <ParticipantQuickActions weekNumber={null} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
