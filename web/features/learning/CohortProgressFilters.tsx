import { Select } from '@mantine/core';
import type { listProgressCohorts } from '#contract/cohort-progress.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { ProgressStatus } from '#contract/fellowship.ts';
import { completionLabels, groupStandings, standingGroups } from '#contract/standing.ts';
import { countOn, FilterBar } from '../../ui/FilterBar.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import type { CohortProgressPlace } from './cohort-progress-place.ts';

interface CohortProgressFiltersProps {
  cohorts: ResponseOf<typeof listProgressCohorts>['cohorts'];
  cohortId: string | undefined;
  place: CohortProgressPlace;
  onChange: (changes: Partial<CohortProgressPlace>, options?: { replace?: boolean }) => void;
}

const all = 'all';
const statusOptions = [
  { value: all, label: 'All statuses' },
  ...ProgressStatus.options.map((value) => ({ value, label: completionLabels[value] })),
];

const standingOptions = [
  { value: all, label: 'Everybody' },
  ...standingGroups.map((value) => ({ value, label: groupStandings[value].label })),
];

export function CohortProgressFilters({ cohorts, cohortId, place, onChange }: CohortProgressFiltersProps) {
  return (
    <FilterBar
      label="Filter the progress"
      always={
        <>
          <Select
            label="Cohort"
            data={cohorts.map(({ id, name, status }) => ({
              value: id,
              label: status === 'active' ? name : `${name} (${status})`,
            }))}
            value={cohortId ?? null}
            onChange={(chosen) => chosen && onChange({ cohort: chosen, member: undefined })}
            allowDeselect={false}
            searchable={cohorts.length > 10}
            nothingFoundMessage="No cohort by that name"
            w={{ base: '100%', xs: 320 }}
          />
          <SearchField
            label="Search"
            placeholder="Name or email"
            value={place.search ?? ''}
            onSearch={(search) => onChange({ search }, { replace: true })}
            flex="1 1 180px"
          />
        </>
      }
      on={countOn(place.status, place.standing)}
    >
      <Select
        label="Status"
        data={statusOptions}
        value={place.status ?? all}
        onChange={(chosen) => onChange({ status: ProgressStatus.safeParse(chosen).data })}
        allowDeselect={false}
        w={{ base: '100%', xs: 210 }}
      />
      <Select
        label="Standing"
        data={standingOptions}
        value={place.standing ?? all}
        onChange={(chosen) => onChange({ standing: standingGroups.find((group) => group === chosen) })}
        allowDeselect={false}
        w={{ base: '100%', xs: 200 }}
      />
    </FilterBar>
  );
}
