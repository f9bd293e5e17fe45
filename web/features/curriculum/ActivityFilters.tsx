import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usualActivityWeeks } from '#contract/default-programme.ts';
import { listActivityCohorts } from '#contract/training-activities.ts';
import { queryFor } from '../../api/query-for.ts';
import { countOn, FilterBar } from '../../ui/FilterBar.tsx';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import type { ActivityPlace, ChangePlace } from './activity-place.ts';
import { whomTheyReach } from './setup-words.ts';

interface ActivityFiltersProps {
  place: ActivityPlace;
  onChange: ChangePlace;
  /** The cohort that the screen begins with. The default is all cohorts. */
  firstCohort?: string;
  /** Keeps the filters under a name, on the screen that has that. */
  saved?: ReactNode;
}

const all = 'all';
const weekOptions = [
  { value: all, label: 'All weeks' },
  ...Array.from({ length: usualActivityWeeks }, (_, index) => ({ value: `${index + 1}`, label: `Week ${index + 1}` })),
];
const width = { base: 'calc(50% - 6px)', xs: 170 };

/** TRAIN-03 to TRAIN-06. A change of filters begins at the first page again. */
export function ActivityFilters({ place, onChange, firstCohort = all, saved }: ActivityFiltersProps) {
  const choices = useQuery(queryFor(listActivityCohorts));
  const cohorts = choices.data?.cohorts ?? [];
  return (
    <FilterBar
      label="Filter activities"
      always={
        <SearchField
          label="Search"
          placeholder="Title or module"
          value={place.search ?? ''}
          onSearch={(search) => onChange({ search, after: undefined })}
          flex="1 1 200px"
        />
      }
      on={countOn(place.week, place.cohort)}
      saved={saved}
    >
      <Select
        label="Week"
        data={weekOptions}
        value={place.week ? `${place.week}` : all}
        onChange={(week) => onChange({ week: week && week !== all ? Number(week) : undefined, after: undefined })}
        allowDeselect={false}
        w={width}
      />
      <Select
        label="Cohort"
        data={[
          { value: all, label: 'All cohorts' },
          { value: 'unassigned', label: 'Unassigned' },
          ...cohorts.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={place.cohort ?? firstCohort}
        onChange={(cohort) =>
          onChange({ cohort: cohort && cohort !== firstCohort ? cohort : undefined, after: undefined })
        }
        renderOption={({ option }) => <CohortOption {...option} reached={choices.data?.reachedCount} />}
        allowDeselect={false}
        searchable={cohorts.length > 10}
        nothingFoundMessage="No cohort by that name"
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        description={choicesNotLoaded('the cohorts', choices)}
        w={{ ...width, xs: 230 }}
      />
    </FilterBar>
  );
}

/** An activity without a cohort is taught to all. Saying so keeps 'unassigned' from reading as 'not used'. */
function CohortOption({ value, label, reached }: { value: string; label: string; reached: number | undefined }) {
  return (
    <div>
      {label}
      {value === 'unassigned' ? (
        <Text size="xs" c="dimmed">
          {whomTheyReach(reached)}
        </Text>
      ) : null}
    </div>
  );
}
