import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { Search, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { SubmissionStatus } from '#contract/submissions.ts';
import { statusNames } from './status-names.ts';
import { type SubmissionPlace, type useSubmissionPlace, usualOrder } from './submission-place.ts';

interface SubmissionFiltersProps {
  place: SubmissionPlace;
  isReviewer: boolean;
  onChange: ReturnType<typeof useSubmissionPlace>['change'];
}

const typingPauseInMs = 250;

/** SUBM-07 */
const offeredStatuses: SubmissionStatus[] = [
  'submitted',
  'reviewed',
  'accepted',
  'approved',
  'needs_revision',
  'rejected',
];
const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Waiting longest' },
];

export function SubmissionFilters({ place, isReviewer, onChange }: SubmissionFiltersProps) {
  const isFiltered = place.search !== undefined || place.status !== undefined;
  return (
    <Group component="search" gap="sm" align="flex-end" aria-label="Filter submissions">
      <SubmissionSearch
        search={place.search ?? ''}
        placeholder={isReviewer ? 'Participant, assignment or activity' : 'Assignment or activity'}
        onChange={(search) => onChange({ search }, { replace: true })}
      />
      {place.tab === 'all' ? (
        <Select
          label="Status"
          data={statusOptions(place.status)}
          value={place.status ?? 'all'}
          onChange={(status) => onChange({ status: SubmissionStatus.safeParse(status).data }, { replace: true })}
          allowDeselect={false}
          w={{ base: '100%', xs: 170 }}
        />
      ) : null}
      <Select
        label="Order"
        data={orders}
        value={place.order}
        onChange={(chosen) => {
          const order = chosen === 'oldest' ? 'oldest' : 'newest';
          onChange({ order: order === usualOrder(place.tab) ? undefined : order }, { replace: true });
        }}
        allowDeselect={false}
        w={{ base: '100%', xs: 170 }}
      />
      {isFiltered ? (
        <Button
          variant="subtle"
          leftSection={<X size={15} aria-hidden />}
          onClick={() => onChange({ status: undefined, search: undefined }, { replace: true })}
        >
          Clear filters
        </Button>
      ) : null}
    </Group>
  );
}

interface SubmissionSearchProps {
  search: string;
  placeholder: string;
  onChange: (search: string | undefined) => void;
}

/** Keeps what is being typed to itself; the address follows after a pause, on Enter and on leaving the field. */
function SubmissionSearch({ search, placeholder, onChange }: SubmissionSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const send = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), typingPauseInMs);
  useHotkeys([['/', () => field.current?.focus()]]);
  return (
    <TextInput
      ref={field}
      type="search"
      label="Search"
      placeholder={placeholder}
      maxLength={200}
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
      flex={{ base: '1 0 100%', sm: '1 1 240px' }}
      maw={{ sm: 420 }}
    />
  );
}

/** The offered ones, and the one that the address names. */
function statusOptions(chosen: SubmissionStatus | undefined) {
  const statuses = chosen && !offeredStatuses.includes(chosen) ? [...offeredStatuses, chosen] : offeredStatuses;
  return [{ value: 'all', label: 'All' }, ...statuses.map((value) => ({ value, label: statusNames[value] }))];
}
