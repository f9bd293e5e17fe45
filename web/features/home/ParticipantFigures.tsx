import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { BadgeDollarSign, CalendarCheck, type LucideIcon, PiggyBank, TrendingUp } from 'lucide-react';
import type { ParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import { presentWeekStanding } from '#contract/own-week-standing.ts';
import { periodWords } from '#contract/pay-periods.ts';
import { programmeStanding } from '#contract/standing.ts';
import { isWithoutPay } from '#contract/week-standing.ts';
import { standInLooks } from '../../ui/NotLoaded.tsx';
import { StatCard } from '../../ui/StatCard.tsx';
import { HomePanel } from './HomePanel.tsx';

type FiguresOf = Pick<ParticipantDashboard, 'today' | 'progress' | 'thisWeek' | 'stipend' | 'notLoaded'>;

interface ParticipantFiguresProps {
  dashboard: FiguresOf;
}

/** FELL-12 to FELL-15. A person whose track pays no stipend sees the first two. */
export function ParticipantFigures({ dashboard }: ParticipantFiguresProps) {
  const figures = figuresOf(dashboard);
  return (
    <SimpleGrid cols={{ base: 2, md: figures.length }} spacing="md">
      {figures.map(({ icon: Icon, ...figure }) => (
        <StatCard key={figure.label} {...figure} icon={<Icon size={18} />} />
      ))}
    </SimpleGrid>
  );
}

/** The same figures where there is little room. */
export function FoldedFigures({ dashboard }: ParticipantFiguresProps) {
  const { progress, stipend } = dashboard;
  const done = `${wholePercentage(progress)} of the program done`;
  const figure = stipend ? `${done} · ${formatCents(stipend.totalEarnedCents)} earned` : done;
  return (
    <HomePanel title="Your figures" fold={{ name: 'figures', figure }}>
      <Stack gap="sm">
        {figuresOf(dashboard).map(({ label, value, note, isNotLoaded }) => (
          <section key={label} aria-label={label}>
            <Group justify="space-between" gap="sm" wrap="nowrap">
              <Text size="sm">{label}</Text>
              <Text fw={650} style={{ fontVariantNumeric: 'tabular-nums' }} {...(isNotLoaded ? standInLooks : {})}>
                {value}
              </Text>
            </Group>
            <Text size="sm" c={isNotLoaded ? 'var(--status-danger)' : 'dimmed'}>
              {isNotLoaded ? 'Not loaded' : note}
            </Text>
          </section>
        ))}
      </Stack>
    </HomePanel>
  );
}

interface Figure {
  label: string;
  value: string;
  note: string | null;
  icon: LucideIcon;
  isNotLoaded: boolean;
}

function figuresOf({ today, progress, thisWeek, stipend, notLoaded }: FiguresOf): Figure[] {
  return [
    {
      label: 'Overall progress',
      value: wholePercentage(progress),
      note: programmeStanding(progress).label,
      icon: TrendingUp,
      isNotLoaded: false,
    },
    {
      label: "This week's activities",
      value: `${thisWeek.done}/${thisWeek.total}`,
      note: thisWeek.total === 0 ? 'None this week' : `${thisWeek.done} of ${thisWeek.total} done`,
      icon: CalendarCheck,
      isNotLoaded: false,
    },
    ...(stipend !== null || notLoaded.includes('stipend') ? figuresOfPay(stipend, today) : []),
  ];
}

function figuresOfPay(stipend: FiguresOf['stipend'], today: string): Figure[] {
  const isNotLoaded = stipend === null;
  return [
    {
      label: 'Total earned',
      value: formatCents(stipend?.totalEarnedCents ?? 0),
      note: stipend ? `Approved and paid ${periodWords[stipend.present.payPeriod].many}` : null,
      icon: PiggyBank,
      isNotLoaded,
    },
    {
      label: 'Stipend status',
      value: stipend?.isEligible ? 'Eligible' : 'Pending',
      note: stipend && payNote(stipend, today),
      icon: BadgeDollarSign,
      isNotLoaded,
    },
  ];
}

function payNote(stipend: NonNullable<FiguresOf['stipend']>, today: string): string {
  const { state, label } = presentWeekStanding(stipend, today);
  if (isWithoutPay(state)) return label;
  return `${formatCents(stipend.weeklyCents)} for ${periodWords[stipend.present.payPeriod].present}`;
}

function wholePercentage({ overallPercentage }: FiguresOf['progress']): string {
  return `${Math.round(overallPercentage)}%`;
}
