import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listCohorts, readCohort } from '#contract/cohorts.ts';
import { queryFor } from '../../../api/query-for.ts';
import { choicesNotLoaded } from '../../../ui/NotLoaded.tsx';

interface CohortPickerProps {
  label: string;
  value: string | null;
  /** Choices that stand for no cohort, or for all. */
  others?: { value: string; label: string }[];
  placeholder?: string;
  onChange: (cohortId: string) => void;
}

const typingPauseInMs = 250;

/** Offers the latest cohorts, and finds any other by its name. */
export function CohortPicker({ label, value, others = [], placeholder, onChange }: CohortPickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, typingPauseInMs);
  const isOfCohort = value !== null && !others.some((other) => other.value === value);
  const chosen = useQuery({ ...queryFor(readCohort, { params: { id: value ?? '' } }), enabled: isOfCohort });
  // The field shows the chosen cohort's name, and that is no search.
  const isSearch = search !== chosen.data?.name && !others.some((other) => other.label === search);
  const found = useQuery({
    ...queryFor(listCohorts, { query: isSearch && search.trim() ? { search } : {} }),
    placeholderData: keepPreviousData,
  });
  const cohorts = (found.data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const own = chosen.data ? [{ value: chosen.data.id, label: chosen.data.name }] : [];
  const options = [
    ...others,
    ...own.filter(({ value: id }) => !cohorts.some((other) => other.value === id)),
    ...cohorts,
  ];
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={options}
      value={value}
      onChange={(next) => next && onChange(next)}
      allowDeselect={false}
      searchable
      onSearchChange={setTyped}
      nothingFoundMessage="No cohort by that name"
      description={choicesNotLoaded('the cohorts', chosen, found)}
      w={{ xs: 260 }}
      flex={{ base: '1 1 160px', xs: 'none' }}
    />
  );
}
