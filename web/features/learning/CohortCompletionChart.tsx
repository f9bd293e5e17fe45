import { Anchor, Box, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CohortCompletion, readCohortCompletion, readCohortStandings } from '#contract/programme-figures.ts';
import { groupStandings, standingGroups } from '#contract/standing.ts';
import { dayAt } from '#contract/weeks.ts';
import { queryFor } from '../../api/query-for.ts';
import { shownZone } from '../../api/shown-zone.ts';
import { paths } from '../../app/paths.ts';
import { Chart } from '../../ui/Chart.tsx';
import type { ChartPart } from '../../ui/chart-looks.tsx';
import { counted } from '../../ui/counted.ts';
import { formatShortDay } from '../../ui/dates.ts';
import { Loaded, LoadedParts } from '../../ui/Loaded.tsx';

const done: ChartPart = { key: 'done', label: 'Completed', tone: 'info', pattern: 'plain' };
const soFar: ChartPart = { key: 'soFar', label: 'So far', tone: 'info', pattern: 'stripes' };

/** Are they where the plan wants them, week by week, and who is not? */
export function CohortCompletionChart({ cohortId }: { cohortId: string }) {
  const completion = useQuery(queryFor(readCohortCompletion, { params: { id: cohortId } }));
  return (
    <Loaded
      read={completion}
      failure="The completion could not be loaded"
      loading={{ label: 'Loading the completion', rows: 4 }}
    >
      {({ weeks }) => (
        <Stack gap="sm">
          <Box mih={{ base: 110, sm: 34 }}>
            <Standings cohortId={cohortId} />
          </Box>
          <Chart
            direction="up"
            height={300}
            label="Completion by week"
            rowHead="By the end of"
            lineHead="Plan"
            parts={[done, soFar]}
            rows={weeks.map(toRow)}
            format={(share) => `${Math.round(share)}%`}
            top={100}
            note="The average of everybody. The plan is the share of the cohort's days."
          />
        </Stack>
      )}
    </Loaded>
  );
}

function toRow({ weekNumber, lastDay, plannedPercentage, completedPercentage }: CohortCompletion['weeks'][number]) {
  const { key } = lastDay < dayAt(new Date(), shownZone()) ? done : soFar;
  return {
    key: String(weekNumber),
    label: String(weekNumber),
    name: `Week ${weekNumber}, ${formatShortDay(lastDay)}`,
    values: completedPercentage === null ? {} : { [key]: completedPercentage },
    line: plannedPercentage,
  };
}

/** Only running cohorts have standings. */
function Standings({ cohortId }: { cohortId: string }) {
  const standings = useQuery(queryFor(readCohortStandings));
  return (
    <LoadedParts
      read={standings}
      failure="How people stand could not be loaded"
      loading={{ label: 'Loading', rows: 0 }}
    >
      {({ cohorts }) => {
        const groups = cohorts.find(({ id }) => id === cohortId)?.groups;
        if (!groups) return null;
        return (
          <Group component="ul" gap="4px 20px" m={0} p={0} fz="sm" style={{ listStyle: 'none' }}>
            {standingGroups.map((group) => (
              <li key={group}>
                {groupStandings[group].label}:{' '}
                {groups[group] === 0 ? (
                  'nobody'
                ) : (
                  <Anchor component={Link} inherit to={paths.membersWho(cohortId, group)} py={4} display="inline-block">
                    {counted(groups[group], 'person', 'people')}
                  </Anchor>
                )}
              </li>
            ))}
          </Group>
        );
      }}
    </LoadedParts>
  );
}
