import { Button, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { listStipendCohorts } from '#contract/stipend-cohorts.ts';
import { PaymentStatus, paymentStatuses } from '#contract/stipends.ts';
import { programmeWeeks } from '#contract/weeks.ts';
import { queryFor } from '../../api/query-for.ts';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { isFiltered, noStipendFilters, type StipendPlace } from './stipend-place.ts';

interface StipendFiltersProps {
  place: StipendPlace;
  week: number;
  currentWeek: number | null;
  onChange: (changes: Partial<StipendPlace>, options?: { replace?: boolean }) => void;
}

const weeks = Array.from({ length: programmeWeeks }, (_, index) => index + 1);
const all = 'all';
const statusLabels = { pending: 'Pending', approved: 'Approved', paid: 'Paid', denied: 'Denied' } as const;
const statusOptions = [
  { value: all, label: 'All statuses' },
  ...paymentStatuses.map((value) => ({ value, label: statusLabels[value] })),
];
const eligibilityOptions = [
  { value: all, label: 'All' },
  { value: 'eligible', label: 'Eligible' },
  { value: 'not_eligible', label: 'Not eligible' },
];

/** The weeks, the cards and everything else on the page follow this choice. */
export function CohortPicker({ place, onChange }: Pick<StipendFiltersProps, 'place' | 'onChange'>) {
  const list = useQuery(queryFor(listStipendCohorts));
  const cohorts = list.data?.cohorts ?? [];
  return (
    <Select
      label="Cohort"
      data={[
        { value: all, label: 'All cohorts' },
        ...cohorts.map(({ id, name, status }) => ({
          value: id,
          label: status === 'active' ? name : `${name} (${status})`,
        })),
      ]}
      value={place.cohort ?? all}
      onChange={(chosen) => onChange({ cohort: chosen === all ? undefined : (chosen ?? undefined), week: undefined })}
      allowDeselect={false}
      error={choicesNotLoaded('the cohorts', list)}
      w={{ base: '100%', xs: 180 }}
    />
  );
}

/** STIP-08 to STIP-12 */
export function StipendFilters({ place, week, currentWeek, onChange }: StipendFiltersProps) {
  return (
    <Group component="search" gap="sm" align="flex-end" aria-label="Filter stipends">
      <CohortPicker place={place} onChange={onChange} />
      <Select
        label="Week"
        data={weeks.map((number) => ({
          value: String(number),
          label: number === currentWeek ? `Week ${number} (this week)` : `Week ${number}`,
        }))}
        value={String(week)}
        onChange={(chosen) => chosen && onChange({ week: Number(chosen) })}
        allowDeselect={false}
        w={{ base: '100%', xs: 180 }}
      />
      <SearchField
        label="Search"
        placeholder="Name or email"
        value={place.search ?? ''}
        onSearch={(search) => onChange({ search }, { replace: true })}
        flex={{ base: '1 0 100%', sm: '1 1 220px' }}
      />
      <Select
        label="Status"
        data={statusOptions}
        value={place.status ?? all}
        onChange={(chosen) => onChange({ status: PaymentStatus.safeParse(chosen).data })}
        allowDeselect={false}
        w={{ base: '100%', xs: 145 }}
      />
      <Select
        label="Eligibility"
        data={eligibilityOptions}
        value={place.eligibility ?? all}
        onChange={(chosen) =>
          onChange({ eligibility: chosen === 'eligible' || chosen === 'not_eligible' ? chosen : undefined })
        }
        allowDeselect={false}
        w={{ base: '100%', xs: 145 }}
      />
      {isFiltered(place) ? (
        <Button variant="subtle" leftSection={<X size={15} aria-hidden />} onClick={() => onChange(noStipendFilters)}>
          Clear filters
        </Button>
      ) : null}
    </Group>
  );
}
