import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import type { listProgressCohorts } from '#contract/cohort-progress.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { ProgressStatus } from '#contract/fellowship.ts';
import type { CohortProgressPlace } from './cohort-progress-place.ts';
import { progressStatuses } from './progress-words.ts';

interface CohortProgressFiltersProps {
  cohorts: ResponseOf<typeof listProgressCohorts>['cohorts'];
  cohortId: string | undefined;
  place: CohortProgressPlace;
  onChange: (changes: Partial<CohortProgressPlace>, options?: { replace?: boolean }) => void;
}

const typingPauseInMs = 250;
const all = 'all';
const statusOptions = [
  { value: all, label: 'All statuses' },
  ...ProgressStatus.options.map((value) => ({ value, label: progressStatuses[value].word })),
];

export function CohortProgressFilters({ cohorts, cohortId, place, onChange }: CohortProgressFiltersProps) {
  return (
    <Group component="search" gap="sm" align="flex-end" aria-label="Filter the progress">
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
        nothingFoundMessage="No cohort of this name"
        w={{ base: '100%', xs: 320 }}
      />
      <SearchField search={place.search ?? ''} onChange={(search) => onChange({ search }, { replace: true })} />
      <Select
        label="Status"
        data={statusOptions}
        value={place.status ?? all}
        onChange={(chosen) => onChange({ status: ProgressStatus.safeParse(chosen).data })}
        allowDeselect={false}
        w={{ base: '100%', xs: 170 }}
      />
    </Group>
  );
}

/** Keeps what is being typed to itself; the address follows after a pause, on Enter and on leaving the field. */
function SearchField({ search, onChange }: { search: string; onChange: (search: string | undefined) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const send = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), typingPauseInMs);
  useHotkeys([['/', () => field.current?.focus()]]);
  return (
    <TextInput
      ref={field}
      type="search"
      label="Search"
      placeholder="Name or email"
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
