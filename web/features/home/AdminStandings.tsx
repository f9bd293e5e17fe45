import { useQuery } from '@tanstack/react-query';
import { type CohortStandings, readCohortStandings } from '#contract/programme-figures.ts';
import { groupStandings, type StandingGroup, standingGroups } from '#contract/standing.ts';
import { queryFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { Chart } from '../../ui/Chart.tsx';
import type { ChartPart, Pattern } from '../../ui/chart-looks.tsx';
import { counted } from '../../ui/counted.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { mostCohortsInChart } from './admin-chart-sizes.ts';

const patterns: Record<StandingGroup, Pattern> = { atRisk: 'stripes', behind: 'dots', onTrack: 'plain' };
const parts: ChartPart[] = standingGroups.map((key) => {
  const { label, color } = groupStandings[key];
  return { key, label, tone: color, pattern: patterns[key] };
});

/** Who of each cohort needs help? */
export function AdminStandings() {
  const standings = useQuery(queryFor(readCohortStandings));
  return (
    <Loaded
      read={standings}
      failure="How people stand could not be loaded"
      loading={{ label: 'Loading how people stand', rows: 4 }}
    >
      {({ cohorts }) =>
        cohorts.length === 0 ? (
          <EmptyState title="No active cohort has members">How their people stand will be here.</EmptyState>
        ) : (
          <Chart
            direction="across"
            label="People by standing"
            rowHead="Cohort"
            totalHead="All"
            parts={parts}
            rows={cohorts.map(toRow)}
            format={inWords}
            mostBars={mostCohortsInChart}
            note={note}
          />
        )
      }
    </Loaded>
  );
}

const { atRisk, behind } = groupStandings;
const note = `${atRisk.label}: ${lowered(atRisk.sentence)} ${behind.label}: ${lowered(behind.sentence)}`;

function toRow({ id, name, members, groups }: CohortStandings['cohorts'][number]) {
  return {
    key: id,
    label: `${name} · ${counted(members, 'person', 'people')}`,
    name,
    values: groups,
    links: Object.fromEntries(standingGroups.map((group) => [group, paths.membersWho(id, group)])),
  };
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
