import { Stack } from '@mantine/core';
import { ChartPlace } from '../../ui/ChartPlace.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { usePart } from '../../ui/use-part.ts';
import { mostCohortsInChart } from './admin-chart-sizes.ts';
import { HomePanel } from './HomePanel.tsx';

/** The pictures of the dashboard. What draws them comes when somebody scrolls to them. */
export function AdminCharts({ cohorts, isFolded }: { cohorts: number; isFolded: boolean }) {
  return (
    <Stack gap={isFolded ? 'md' : 'lg'} data-own-reads="readCohortStandings readWaitingAges">
      <HomePanel
        title="How people stand"
        fold={isFolded ? { name: 'standings', figure: 'Who needs help, by cohort' } : null}
      >
        <ChartPlace height={130 + 54 * Math.min(mostCohortsInChart, Math.max(2, cohorts))}>
          {() => <Later name="AdminStandings" />}
        </ChartPlace>
      </HomePanel>
      <HomePanel
        title="How long things wait"
        fold={isFolded ? { name: 'waiting', figure: 'Reviews, stipends, questions and corrections' } : null}
      >
        <ChartPlace height={330}>{() => <Later name="AdminWaiting" />}</ChartPlace>
      </HomePanel>
    </Stack>
  );
}

export function AdminWeeks({ isFolded }: { isFolded: boolean }) {
  return (
    <HomePanel
      title="Week by week"
      fold={isFolded ? { name: 'weeks', figure: 'Attendance and pay of a cohort' } : null}
    >
      <ChartPlace height={440} heightOnPhone={860}>
        {() => <Later name="AdminCohortWeeks" />}
      </ChartPlace>
    </HomePanel>
  );
}

/** All of them are in one file, because each file is a request. */
function Later({ name }: { name: keyof typeof import('./admin-figures.ts') }) {
  const part = usePart('figures of the admin dashboard', () => import('./admin-figures.ts'));
  return (
    <Loaded read={part} failure="This could not be loaded" loading={{ label: 'Loading figures', rows: 4 }}>
      {({ [name]: Shown }) => <Shown />}
    </Loaded>
  );
}
