import { Button, Select } from '@mantine/core';
import { X } from 'lucide-react';
import { SubmissionStatus } from '#contract/submissions.ts';
import { AgeFilter } from '../../ui/AgeFilter.tsx';
import { countOn, FilterBar } from '../../ui/FilterBar.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { SavedFilters } from '../saved-filters/SavedFilters.tsx';
import { statusNames } from './status-names.ts';
import { noSubmissionFilters, type SubmissionPlace, type useSubmissionPlace } from './submission-place.ts';

interface SubmissionFiltersProps {
  place: SubmissionPlace;
  /** The only participant whose work is listed. The name is unknown while the list has nothing of theirs. */
  participantName: string | undefined;
  isReviewer: boolean;
  onChange: ReturnType<typeof useSubmissionPlace>['change'];
}

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

export function SubmissionFilters({ place, participantName, isReviewer, onChange }: SubmissionFiltersProps) {
  const isFiltered = place.search !== undefined || place.status !== undefined || place.age !== undefined;
  return (
    <FilterBar
      label="Filter submissions"
      always={
        <SearchField
          label="Search"
          placeholder={isReviewer ? 'Person or work' : 'Title or activity'}
          value={place.search ?? ''}
          onSearch={(search) => onChange({ search }, { replace: true })}
          flex="1 1 240px"
          maw={{ sm: 420 }}
        />
      }
      on={countOn(place.tab === 'all' && place.status)}
      saved={
        <SavedFilters list="submissions" of={['tab', 'status', 'mine', 'search', 'participant', 'age', 'order']} />
      }
      onClear={isFiltered ? () => onChange(noSubmissionFilters, { replace: true }) : null}
      acts={
        <>
          {place.participant ? (
            <Button
              variant="light"
              rightSection={<X size={15} aria-hidden />}
              aria-label={`Only ${participantName ?? 'one participant'}: show everybody's work`}
              onClick={() => onChange({ participant: undefined }, { replace: true })}
            >
              Only {participantName ?? 'one participant'}
            </Button>
          ) : null}
          <AgeFilter age={place.age} onClear={() => onChange({ age: undefined }, { replace: true })} />
        </>
      }
    >
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
        onChange={(chosen) => onChange({ order: chosen === 'oldest' ? 'oldest' : 'newest' }, { replace: true })}
        allowDeselect={false}
        w={{ base: '100%', xs: 170 }}
      />
    </FilterBar>
  );
}

/** The offered statuses, and the one that the address names. */
function statusOptions(chosen: SubmissionStatus | undefined) {
  const statuses = chosen && !offeredStatuses.includes(chosen) ? [...offeredStatuses, chosen] : offeredStatuses;
  return [{ value: 'all', label: 'All' }, ...statuses.map((value) => ({ value, label: statusNames[value] }))];
}
