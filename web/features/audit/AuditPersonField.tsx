import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAuditPeople } from '#contract/audit.ts';
import { queryFor } from '../../api/query-for.ts';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';

interface AuditPersonFieldProps {
  personId: string | undefined;
  onChange: (personId: string | undefined) => void;
}

/** The server searches the people, because there may be more than a list can hold. */
export function AuditPersonField({ personId, onChange }: AuditPersonFieldProps) {
  const [typed, setTyped] = useState('');
  const chosen = useQuery({
    ...queryFor(listAuditPeople, { query: { search: personId ?? '' } }),
    enabled: personId !== undefined,
  });
  const [person] = personId === undefined ? [] : (chosen.data?.people ?? []);
  const wanted = person && typed === labelOf(person) ? '' : typed;
  const found = useQuery({
    ...queryFor(listAuditPeople, { query: { search: wanted } }),
    placeholderData: keepPreviousData,
  });
  const people = [...(person ? [person] : []), ...(found.data?.people ?? []).filter(({ id }) => id !== personId)];
  return (
    <Select
      label="Person"
      placeholder="Anybody"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Anybody' }}
      searchValue={typed}
      onSearchChange={setTyped}
      data={people.map((one) => ({ value: one.id, label: labelOf(one) }))}
      // The server has already searched names, addresses and ids.
      filter={({ options }) => options}
      value={personId ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      nothingFoundMessage={found.isFetching ? 'Searching' : 'No one by that name'}
      description={choicesNotLoaded('the people', chosen, found)}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      maxDropdownHeight={320}
      w={{ base: '100%', xs: 260 }}
    />
  );
}

function labelOf({ name, email }: { name: string; email: string }): string {
  return `${name} (${email})`;
}
