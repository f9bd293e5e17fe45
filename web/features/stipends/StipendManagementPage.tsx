import { Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { readStipendWeek } from '#contract/stipends.ts';
import { partInTime } from '../../api/patience.ts';
import { queryFor, readFailedAgain } from '../../api/query-for.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { currentWeekInWords, runningWeekOf } from './current-week.ts';
import { StipendDialog } from './StipendDialog.tsx';
import { CohortPicker } from './StipendFilters.tsx';
import { StipendsOfWeek } from './StipendsOfWeek.tsx';
import { useStipendPlace } from './stipend-place.ts';

/** Comes with its tab, which most people do not open. */
const Reconciliation = lazy(async () => ({
  default: (await partInTime(() => import('../payments/Reconciliation.tsx'))).Reconciliation,
}));

const weekWithoutCohort = 1;

/** STIP-01 to STIP-61, HOOK-01 to HOOK-13 */
export function StipendManagementPage() {
  const { place, change } = useStipendPlace();
  const current = useQuery({
    ...queryFor(readStipendWeek, { query: { cohort: place.cohort } }),
    enabled: place.tab !== 'reconciliation',
  });
  // This stays true during another read. So that read does not restart the parts below, or the processing of the week.
  const hasFailed = current.isFetched && !current.data;
  const week = place.week ?? current.data?.weekNumber ?? (hasFailed ? weekWithoutCohort : null);
  if (place.tab === 'reconciliation') {
    return (
      <>
        <PageHeader title="Stipend Management" lead="What was approved, sent and paid, and where that differs." />
        <Stack gap="lg">
          <StipendTabs tab="reconciliation" onChange={(tab) => change({ tab })} />
          <Suspense fallback={<LoadingState label="Loading the reconciliation" rows={6} />}>
            <Reconciliation
              kind={place.kind ?? 'approved_not_sent'}
              cohort={place.cohort}
              cohortPicker={<CohortPicker place={place} onChange={change} />}
              onKind={(kind) => change({ kind })}
              onOpen={(stipend) => change({ stipend })}
            />
          </Suspense>
          <StipendDialog stipendId={place.stipend} onClose={() => change({ stipend: undefined })} />
        </Stack>
      </>
    );
  }
  // What is said of the current week stands above the rest, so the rest waits for it and does not move then.
  if (week === null || current.isPending) {
    return (
      <>
        <PageHeader title="Stipend Management" />
        <LoadingState label="Loading the current week" cards={4} rows={6} />
      </>
    );
  }
  return (
    <StipendsOfWeek
      key={`${week} ${place.cohort}`}
      week={week}
      isAssumed={hasFailed && place.week === undefined}
      currentWeek={current.data ? runningWeekOf(current.data) : null}
      weeks={current.data?.weeks ?? specifiedCalendar.weeks}
      payPeriod={current.data?.payPeriod ?? 'week'}
      hasCohort={current.data?.cohortName !== null}
      lead={current.data ? currentWeekInWords(current.data) : undefined}
      tabs={<StipendTabs tab="stipends" onChange={(tab) => change({ tab })} />}
      notice={(hasRows) =>
        hasFailed ? (
          <ErrorState
            title="Current week not loaded"
            message={`${whichWeek({ week, isAsked: place.week !== undefined, hasRows })} You can choose another week below.`}
            onRetry={readFailedAgain}
            isRetrying={current.isFetching}
          />
        ) : null
      }
    />
  );
}

function whichWeek({ week, isAsked, hasRows }: { week: number; isAsked: boolean; hasRows: boolean }): string {
  if (hasRows) return `The stipends of week ${week} are shown.`;
  return isAsked ? `Week ${week} is chosen.` : `Week ${week} is chosen because the current week could not be loaded.`;
}

interface StipendTabsProps {
  tab: 'stipends' | 'reconciliation';
  onChange: (tab: 'reconciliation' | undefined) => void;
}

function StipendTabs({ tab, onChange }: StipendTabsProps) {
  return (
    <Tabs value={tab} onChange={(chosen) => onChange(chosen === 'reconciliation' ? 'reconciliation' : undefined)}>
      <Tabs.List>
        <Tabs.Tab value="stipends">Stipends</Tabs.Tab>
        <Tabs.Tab value="reconciliation">Reconciliation</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}
