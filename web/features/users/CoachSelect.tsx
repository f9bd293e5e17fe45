import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CoachChoice, listCoaches } from '#contract/coach-assignment.ts';
import { queryFor } from '../../api/query-for.ts';
import { counted } from '../../ui/counted.ts';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';
import { nameOf } from './user-words.ts';

interface CoachSelectProps extends Pick<SelectProps, 'w' | 'flex' | 'label' | 'description' | 'clearable' | 'id'> {
  value: CoachChoice | null;
  onChange: (coach: CoachChoice | null) => void;
}

/** CASN-03, USER-38: coaches by first name, each with their present load. Typing asks the server. */
export function CoachSelect({ value, onChange, description, ...select }: CoachSelectProps) {
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed, 300);
  const search = value && searched === labelOf(value) ? '' : searched;
  const coaches = useQuery({
    ...queryFor(listCoaches, { query: { search } }),
    placeholderData: keepPreviousData,
  });
  const rows = coaches.data?.rows ?? [];
  const offered = value && !rows.some(({ id }) => id === value.id) ? [value, ...rows] : rows;
  return (
    <Select
      {...select}
      searchable
      openOnFocus={false}
      data={offered.map((coach) => ({ value: coach.id, label: labelOf(coach) }))}
      value={value?.id ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched already.
      filter={({ options }) => options}
      onChange={(id) => onChange(offered.find((coach) => coach.id === id) ?? null)}
      placeholder="Choose a coach"
      nothingFoundMessage={coaches.isPending ? 'Loading coaches' : 'No coach by that name'}
      description={choicesNotLoaded('the coaches', coaches) ?? description}
      maxDropdownHeight={280}
    />
  );
}

function labelOf(coach: CoachChoice): string {
  return `${nameOf(coach)} (${counted(coach.participantCount, 'participant')})`;
}
