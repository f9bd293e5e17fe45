import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search, X } from 'lucide-react';
import { useState } from 'react';
import { moduleNames, Programme } from '#contract/learning.ts';
import { activityWeeks } from '#contract/weeks.ts';
import { type CalendarPlace, noFilters } from './calendar-place.ts';
import { programmeLabels } from './programmes.ts';

interface CalendarFiltersProps {
  place: CalendarPlace;
  currentWeek: number | null;
  hasProgrammes: boolean;
  onChange: (changes: Partial<CalendarPlace>, options?: { replace?: boolean }) => void;
}

const typingPauseInMs = 250;
const allWeeks = Array.from({ length: activityWeeks }, (_, index) => index + 1);

export function CalendarFilters({ place, currentWeek, hasProgrammes, onChange }: CalendarFiltersProps) {
  const { week, module, programme } = place;
  const isFiltered = Boolean(place.search || week || module || (hasProgrammes && programme));
  const weeks = allWeeks.map((number) => ({
    value: String(number),
    label: number === currentWeek ? `Week ${number} (this week)` : `Week ${number}`,
  }));
  const modules: string[] = module && !moduleNames.some((name) => name === module) ? [module] : [];
  return (
    <Group component="search" gap="sm" align="flex-end" aria-label="Filter activities">
      <SearchInput search={place.search ?? ''} onChange={(search) => onChange({ search }, { replace: true })} />
      <Select
        label="Week"
        placeholder="All weeks"
        data={weeks}
        value={week === undefined ? null : String(week)}
        onChange={(chosen) => onChange({ week: chosen === null ? undefined : Number(chosen), month: undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'All weeks' }}
        w={{ base: '100%', xs: 190 }}
      />
      <Select
        label="Module"
        placeholder="All modules"
        data={[...modules, ...moduleNames]}
        value={module ?? null}
        onChange={(chosen) => onChange({ module: chosen ?? undefined, month: undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'All modules' }}
        w={{ base: '100%', xs: 260 }}
      />
      {hasProgrammes ? (
        <Select
          label="Programme"
          placeholder="All programmes"
          data={Programme.options.map((value) => ({ value, label: programmeLabels[value] }))}
          value={programme ?? null}
          onChange={(chosen) => onChange({ programme: Programme.safeParse(chosen).data, month: undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'All programmes' }}
          w={{ base: '100%', xs: 210 }}
        />
      ) : null}
      {currentWeek !== null && week !== currentWeek ? (
        <Button variant="default" onClick={() => onChange({ week: currentWeek, month: undefined })}>
          This week
        </Button>
      ) : null}
      {isFiltered ? (
        <Button variant="subtle" leftSection={<X size={15} aria-hidden />} onClick={() => onChange(noFilters)}>
          Clear filters
        </Button>
      ) : null}
    </Group>
  );
}

/** Keeps what is being typed to itself; the address follows after a pause, on Enter and on leaving the field. */
function SearchInput({ search, onChange }: { search: string; onChange: (search: string | undefined) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const send = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), typingPauseInMs);
  return (
    <TextInput
      type="search"
      label="Search"
      placeholder="Title or description"
      leftSection={<Search size={16} aria-hidden />}
      value={typed ?? search}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        send(currentTarget.value);
      }}
      onKeyDown={({ key }) => key === 'Enter' && send.flush()}
      onBlur={() => {
        send.flush();
        setTyped(null);
      }}
      flex={{ base: '1 0 100%', sm: '1 1 220px' }}
    />
  );
}
