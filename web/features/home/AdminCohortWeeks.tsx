import { NativeSelect, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { formatCents } from '#contract/money.ts';
import { type PayPeriod, periodMark, periodName, periodWords, startOfSentence } from '#contract/pay-periods.ts';
import { type CohortWeeks, payParts, readCohortWeeks } from '#contract/programme-figures.ts';
import { listStipendCohorts } from '#contract/stipend-cohorts.ts';
import { dayAt } from '#contract/weeks.ts';
import { queryFor } from '../../api/query-for.ts';
import { shownZone } from '../../api/shown-zone.ts';
import { paths } from '../../app/paths.ts';
import { Chart } from '../../ui/Chart.tsx';
import type { ChartPart, Pattern } from '../../ui/chart-looks.tsx';
import { formatShortDay } from '../../ui/dates.ts';
import { Loaded, LoadedParts } from '../../ui/Loaded.tsx';
import { EmptyState } from '../../ui/states.tsx';

type Week = CohortWeeks['weeks'][number];

const Search = z.object({ cohort: z.uuid().optional().catch(undefined) });

/** How do people attend, and what does a cohort earn of what it could? */
export function AdminCohortWeeks() {
  const cohorts = useQuery(queryFor(listStipendCohorts));
  const { cohort } = Search.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const choose = (chosen: string) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, cohort: chosen }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Loaded read={cohorts} failure="The cohorts could not be loaded" loading={{ label: 'Loading the weeks', rows: 5 }}>
      {({ cohorts: all }) => {
        const chosen = all.find(({ id }) => id === cohort) ?? all[0];
        if (!chosen) {
          return <EmptyState title="No cohort is paid yet">Attendance and pay of each week will be here.</EmptyState>;
        }
        return (
          <Stack gap="md">
            <NativeSelect
              label="Cohort"
              data={all.map(({ id, name, status }) => ({
                value: id,
                label: status === 'active' ? name : `${name} (${status})`,
              }))}
              value={chosen.id}
              onChange={({ currentTarget }) => choose(currentTarget.value)}
              w={{ base: '100%', xs: 320 }}
            />
            <Weeks key={chosen.id} cohortId={chosen.id} />
          </Stack>
        );
      }}
    </Loaded>
  );
}

function Weeks({ cohortId }: { cohortId: string }) {
  const weeks = useQuery(queryFor(readCohortWeeks, { params: { id: cohortId } }));
  return (
    <LoadedParts read={weeks} failure="The weeks could not be loaded" loading={{ label: 'Loading the weeks', rows: 4 }}>
      {(cohort) =>
        cohort.weeks.length === 0 ? (
          <EmptyState title="No week is calculated yet">
            Calculate a week in Stipend Management. Its attendance and pay then show here.
          </EmptyState>
        ) : (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
            <Part title={`Attendance by ${oneOf(cohort)}`}>
              <Attendance cohort={cohort} />
            </Part>
            <Part title={`Pay by ${oneOf(cohort)}`}>
              <Pay cohort={cohort} />
            </Part>
          </SimpleGrid>
        )
      }
    </LoadedParts>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={3}>{title}</Title>
      {children}
    </Stack>
  );
}

/** 'week' */
function oneOf(cohort: CohortWeeks): string {
  return periodWords[payPeriodOf(cohort)].one;
}

function payPeriodOf({ weeks }: CohortWeeks): PayPeriod {
  return weeks[0]?.payPeriod ?? 'week';
}

const attended: ChartPart = { key: 'attended', label: 'Activities attended', tone: 'info', pattern: 'plain' };

function Attendance({ cohort }: { cohort: CohortWeeks }) {
  const { id, weeks } = cohort;
  const soFar: ChartPart = {
    ...{ key: 'soFar', label: `So far ${periodWords[payPeriodOf(cohort)].present}` },
    ...{ tone: 'info', pattern: 'stripes' },
  };
  const today = dayAt(new Date(), shownZone());
  return (
    <Chart
      direction="up"
      height={320}
      label={`Attendance by ${oneOf(cohort)}`}
      rowHead={startOfSentence(oneOf(cohort))}
      parts={weeks.some(({ lastDay }) => lastDay >= today) ? [attended, soFar] : [attended]}
      rows={weeks.map((week) => {
        const { attended: done, total } = week.attendance;
        const part = week.lastDay >= today ? soFar : attended;
        return {
          key: String(week.weekNumber),
          label: periodMark(week),
          name: `${inDays(week)}: ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`,
          values: total === 0 ? {} : { [part.key]: Math.round((100 * done) / total) },
          links: { [part.key]: paths.stipendsOfWeek(week.weekNumber, id) },
        };
      })}
      format={(share) => `${share}%`}
      top={100}
      note={`Of all activities that counted for everybody in the ${oneOf(cohort)}.`}
    />
  );
}

interface PayPart {
  pattern: Pattern;
  /** Nobody is paid this. */
  isRest?: boolean;
  filters: Record<string, string>;
}

const payOf: Record<(typeof payParts)[number], PayPart> = {
  paid: { pattern: 'plain', filters: { status: 'paid' } },
  approved: { pattern: 'lines', filters: { status: 'approved' } },
  toDecide: { pattern: 'dots', filters: { status: 'pending', eligibility: 'eligible' } },
  denied: { pattern: 'stripes', isRest: true, filters: { status: 'denied' } },
  notEligible: { pattern: 'hollow', isRest: true, filters: { status: 'pending', eligibility: 'not_eligible' } },
};

function Pay({ cohort }: { cohort: CohortWeeks }) {
  const { id, parts, weeks } = cohort;
  return (
    <Chart
      direction="up"
      height={320}
      label={`Pay by ${oneOf(cohort)}`}
      rowHead={startOfSentence(oneOf(cohort))}
      totalHead="Possible"
      parts={parts.map(({ state, label, color }) => ({
        key: state,
        label,
        tone: color,
        pattern: payOf[state].pattern,
        isRest: payOf[state].isRest ?? false,
      }))}
      rows={weeks.map((week) => ({
        key: String(week.weekNumber),
        label: periodMark(week),
        name: inDays(week),
        values: week.cents,
        links: Object.fromEntries(
          payParts.map((part) => [part, paths.stipendsOfWeek(week.weekNumber, id, payOf[part].filters)]),
        ),
      }))}
      format={formatCents}
      note={`The full height is what the ${oneOf(cohort)} can bring. The thin part is no pay.`}
    />
  );
}

function inDays(week: Week): string {
  const { firstDay, lastDay } = week;
  return `${startOfSentence(periodName(week))}, ${formatShortDay(firstDay)} to ${formatShortDay(lastDay)}`;
}
