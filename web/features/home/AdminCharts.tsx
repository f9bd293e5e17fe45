import { Stack } from '@mantine/core';
import { ChartPlace } from '../../ui/ChartPlace.tsx';
import { AdminCohortWeeks } from './AdminCohortWeeks.tsx';
import { AdminStandings } from './AdminStandings.tsx';
import { AdminWaiting } from './AdminWaiting.tsx';
import { mostCohortsInChart } from './admin-chart-sizes.ts';
import { HomePanel } from './HomePanel.tsx';

/** The pictures of the dashboard. What draws them comes when somebody scrolls to them. */
export function AdminCharts({ cohorts }: { cohorts: number }) {
  return (
    <Stack gap="lg">
      <HomePanel title="How people stand">
        <ChartPlace height={130 + 54 * Math.min(mostCohortsInChart, Math.max(2, cohorts))}>
          {() => <AdminStandings />}
        </ChartPlace>
      </HomePanel>
      <HomePanel title="How long things wait">
        <ChartPlace height={330}>{() => <AdminWaiting />}</ChartPlace>
      </HomePanel>
    </Stack>
  );
}

export function AdminWeeks() {
  return (
    <HomePanel title="Week by week">
      <ChartPlace height={440} heightOnPhone={860}>
        {() => <AdminCohortWeeks />}
      </ChartPlace>
    </HomePanel>
  );
}
