import { Button, Select } from '@mantine/core';
import { usualActivityWeeks } from '#contract/default-programme.ts';
import type { TrainingCalendar } from '#contract/learning.ts';
import { FilterBar } from '../../ui/FilterBar.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { type CalendarPlace, noFilters } from './calendar-place.ts';

interface CalendarFiltersProps {
  place: CalendarPlace;
  currentWeek: number | null;
  /** What the answer offers to filter by. There is no choice of an audience without any. */
  offered: Pick<TrainingCalendar, 'audiences' | 'modules'>;
  onChange: (changes: Partial<CalendarPlace>, options?: { replace?: boolean }) => void;
}

/** Stands for no filter in a list of choices. */
const all = 'all';
const allWeeks = Array.from({ length: usualActivityWeeks }, (_, index) => index + 1);

export function CalendarFilters({ place, currentWeek, offered, onChange }: CalendarFiltersProps) {
  const { week, module, programme } = place;
  const { audiences } = offered;
  const hasAudiences = audiences.length > 0;
  const chosen = [week, module, hasAudiences && programme].filter(Boolean).length;
  const isFiltered = Boolean(place.search) || chosen > 0;
  const weeks = allWeeks.map((number) => ({
    value: String(number),
    label: number === currentWeek ? `Week ${number} (this week)` : `Week ${number}`,
  }));
  const modules = module && !offered.modules.includes(module) ? [module, ...offered.modules] : offered.modules;
  return (
    <FilterBar
      label="Filter activities"
      always={
        <SearchField
          label="Search"
          placeholder="Title or description"
          value={place.search ?? ''}
          onSearch={(search) => onChange({ search }, { replace: true })}
          flex="1 1 220px"
        />
      }
      on={chosen}
      onClear={isFiltered ? () => onChange(noFilters) : null}
    >
      <Select
        label="Week"
        data={[{ value: all, label: 'All weeks' }, ...weeks]}
        value={week === undefined ? all : String(week)}
        onChange={(chosen) => onChange({ week: isAny(chosen) ? undefined : Number(chosen), month: undefined })}
        allowDeselect={false}
        w={{ base: '100%', xs: 190 }}
      />
      <Select
        label="Module"
        data={[{ value: all, label: 'All modules' }, ...modules]}
        value={module ?? all}
        onChange={(chosen) => onChange({ module: isAny(chosen) ? undefined : chosen, month: undefined })}
        allowDeselect={false}
        w={{ base: '100%', xs: 260 }}
      />
      {hasAudiences ? (
        <Select
          label="Program"
          data={[{ value: all, label: 'All programs' }, ...audiences.map(({ key, label }) => ({ value: key, label }))]}
          value={programme ?? all}
          onChange={(chosen) => onChange({ programme: isAny(chosen) ? undefined : chosen, month: undefined })}
          allowDeselect={false}
          w={{ base: '100%', xs: 210 }}
        />
      ) : null}
      {currentWeek !== null && week !== currentWeek ? (
        <Button variant="default" onClick={() => onChange({ week: currentWeek, month: undefined })}>
          This week
        </Button>
      ) : null}
    </FilterBar>
  );
}

function isAny(chosen: string | null): chosen is null | typeof all {
  return chosen === null || chosen === all;
}
