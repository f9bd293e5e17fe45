import { Button, Select } from '@mantine/core';
import { usualActivityWeeks } from '#contract/default-programme.ts';
import { moduleNames, Programme } from '#contract/learning.ts';
import { FilterBar } from '../../ui/FilterBar.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { type CalendarPlace, noFilters } from './calendar-place.ts';
import { programmeLabels } from './programmes.ts';

interface CalendarFiltersProps {
  place: CalendarPlace;
  currentWeek: number | null;
  hasProgrammes: boolean;
  isPhone: boolean;
  onChange: (changes: Partial<CalendarPlace>, options?: { replace?: boolean }) => void;
}

/** Stands for no filter in a list of choices. */
const all = 'all';
const allWeeks = Array.from({ length: usualActivityWeeks }, (_, index) => index + 1);

export function CalendarFilters({ place, currentWeek, hasProgrammes, isPhone, onChange }: CalendarFiltersProps) {
  const { week, module, programme } = place;
  const chosen = [week, module, hasProgrammes && programme].filter(Boolean).length;
  const isFiltered = Boolean(place.search) || chosen > 0;
  const weeks = allWeeks.map((number) => ({
    value: String(number),
    label: number === currentWeek ? `Week ${number} (this week)` : `Week ${number}`,
  }));
  const modules: string[] = module && !moduleNames.some((name) => name === module) ? [module] : [];
  return (
    <FilterBar
      label="Filter activities"
      always={
        <SearchField
          label="Search"
          isLabelHidden={isPhone}
          placeholder="Title or description"
          value={place.search ?? ''}
          onSearch={(search) => onChange({ search }, { replace: true })}
          flex={isPhone ? '1 1 160px' : '1 1 220px'}
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
        data={[{ value: all, label: 'All modules' }, ...modules, ...moduleNames]}
        value={module ?? all}
        onChange={(chosen) => onChange({ module: isAny(chosen) ? undefined : chosen, month: undefined })}
        allowDeselect={false}
        w={{ base: '100%', xs: 260 }}
      />
      {hasProgrammes ? (
        <Select
          label="Program"
          data={[
            { value: all, label: 'All programs' },
            ...Programme.options.map((value) => ({ value, label: programmeLabels[value] })),
          ]}
          value={programme ?? all}
          onChange={(chosen) => onChange({ programme: Programme.safeParse(chosen).data, month: undefined })}
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
