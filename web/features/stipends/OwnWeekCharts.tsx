import { SimpleGrid, Stack, Title } from '@mantine/core';
import { formatCents } from '#contract/money.ts';
import { type PayPeriod, periodMark, periodName, periodWords, startOfSentence } from '#contract/pay-periods.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { decisionLooks, isWithoutPay, notEligibleLook, weekPhase } from '#contract/week-standing.ts';
import { Chart } from '../../ui/Chart.tsx';
import type { ChartPart } from '../../ui/chart-looks.tsx';
import { formatShortDay } from '../../ui/dates.ts';
import { placeOfWeek, standingOf } from './own-week-words.ts';

/** How did the weeks of a cohort go, at a glance? Each figure leads to its week below. */
export function OwnWeekCharts({ weeks }: { weeks: StipendWeek[] }) {
  const inOrder = weeks.toSorted((one, other) => one.weekNumber - other.weekNumber);
  const { one } = periodWords[weeks[0]?.payPeriod ?? 'week'];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
      <Stack gap="sm" component="section" aria-label={`Attendance by ${one}`}>
        <Title order={2} size="h3">
          Attendance by {one}
        </Title>
        <Attendance weeks={inOrder} one={one} />
      </Stack>
      <Stack gap="sm" component="section" aria-label={`Pay by ${one}`}>
        <Title order={2} size="h3">
          Pay by {one}
        </Title>
        <Pay weeks={inOrder} one={one} />
      </Stack>
    </SimpleGrid>
  );
}

const attended: ChartPart = { key: 'attended', label: 'Attended', tone: 'info', pattern: 'plain' };
const soFar = (payPeriod: PayPeriod): ChartPart => ({
  ...{ key: 'soFar', label: `So far ${periodWords[payPeriod].present}` },
  ...{ tone: 'info', pattern: 'stripes' },
});

/** Both charts are as high, whatever their legends and notes take. */
const plotHeight = 220;

interface OfWeeksProps {
  weeks: StipendWeek[];
  /** 'week' */
  one: string;
}

function Attendance({ weeks, one }: OfWeeksProps) {
  const isOver = (week: StipendWeek) => weekPhase(week, week.today, 'pending') === 'over';
  const running = weeks.find((week) => !isOver(week));
  return (
    <Chart
      direction="up"
      plotHeight={plotHeight}
      label={`Attendance by ${one}`}
      rowHead={startOfSentence(one)}
      parts={running ? [attended, soFar(running.payPeriod)] : [attended]}
      rows={weeks.map((week) => {
        const { accessed, total } = week.activities;
        const key = isOver(week) ? attended.key : 'soFar';
        return {
          ...headOf(week),
          name: `${headOf(week).name}: ${total === 0 ? 'no activities' : `${accessed} of ${total}`}`,
          values: total === 0 ? {} : { [key]: Math.round((100 * accessed) / total) },
          links: { [key]: `#${placeOfWeek(week)}` },
        };
      })}
      format={(share) => `${share}%`}
      top={100}
    />
  );
}

const payParts: ChartPart[] = [
  { key: 'paid', label: decisionLooks.paid.label, tone: 'success', pattern: 'plain' },
  { key: 'approved', label: 'Approved or sent', tone: 'info', pattern: 'lines' },
  { key: 'pending', label: decisionLooks.pending.label, tone: 'warning', pattern: 'dots' },
  { key: 'denied', label: decisionLooks.denied.label, tone: 'danger', pattern: 'stripes', isRest: true },
  { key: 'notEligible', label: notEligibleLook.label, tone: notEligibleLook.color, pattern: 'hollow', isRest: true },
];

function Pay({ weeks, one }: OfWeeksProps) {
  const found = new Set(weeks.map(payPartOf));
  return (
    <Chart
      direction="up"
      plotHeight={plotHeight}
      label={`Pay by ${one}`}
      rowHead={startOfSentence(one)}
      parts={payParts.filter(({ key }) => found.has(key))}
      rows={weeks.map((week) => {
        const key = payPartOf(week);
        return {
          ...headOf(week),
          values: { [key]: week.amountCents },
          links: { [key]: `#${placeOfWeek(week)}` },
        };
      })}
      format={formatCents}
      note={`The full height is what the ${one} could bring. A thin bar is no pay.`}
    />
  );
}

/** It agrees with the week's own words below. While a week can still bring its pay, it is only not decided. */
function payPartOf(week: StipendWeek): string {
  if (week.state === 'sent') return 'approved';
  if (week.state !== 'pending') return week.state;
  return isWithoutPay(standingOf(week, 'participant').state) ? 'notEligible' : 'pending';
}

function headOf(week: StipendWeek) {
  const { weekNumber, firstDay, lastDay } = week;
  const name = `${startOfSentence(periodName(week))}, ${formatShortDay(firstDay)} to ${formatShortDay(lastDay)}`;
  return { key: String(weekNumber), label: periodMark(week), name };
}
