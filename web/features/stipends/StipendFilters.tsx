import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type PayPeriod, periodTitle } from '#contract/pay-periods.ts';
import { listStipendCohorts } from '#contract/stipend-cohorts.ts';
import { PaymentStatus, paymentStatuses, StipendOrder, stipendOrders } from '#contract/stipends.ts';
import { queryFor } from '../../api/query-for.ts';
import { countOn, FilterBar } from '../../ui/FilterBar.tsx';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { isFiltered, noStipendFilters, type StipendPlace, usualOrder } from './stipend-place.ts';

interface StipendFiltersProps {
  place: StipendPlace;
  week: number;
  currentWeek: number | null;
  /** How many stipends each participant of the cohort gets. */
  weeks: number;
  payPeriod: PayPeriod;
  onChange: (changes: Partial<StipendPlace>, options?: { replace?: boolean }) => void;
}

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

const orderNames: Record<StipendOrder, string> = {
  eligible: 'Eligible first',
  name: 'Name, A to Z',
  nameFromZ: 'Name, Z to A',
  cohort: 'Cohort',
  largest: 'Largest amount',
  smallest: 'Smallest amount',
  status: 'Payment status',
};
const orderOptions = stipendOrders.map((value) => ({ value, label: orderNames[value] }));

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
      description={choicesNotLoaded('the cohorts', list)}
      w={{ base: '100%', xs: 150 }}
    />
  );
}

function labelOf(payPeriod: PayPeriod, number: number, current: number | null): string {
  const title = periodTitle(payPeriod, number);
  if (number !== current) return title;
  return `${title} (${payPeriod === 'week' ? 'this week' : 'now'})`;
}

/** STIP-08 to STIP-12 */
export function StipendFilters({ place, week, currentWeek, weeks, payPeriod, onChange }: StipendFiltersProps) {
  return (
    <FilterBar
      label="Filter stipends"
      always={
        <>
          <Select
            label={payPeriod === 'week' ? 'Week' : 'Period'}
            data={Array.from({ length: Math.max(weeks, week) }, (_, index) => index + 1).map((number) => ({
              value: String(number),
              label: labelOf(payPeriod, number, currentWeek),
            }))}
            value={String(week)}
            onChange={(chosen) => chosen && onChange({ week: Number(chosen) })}
            allowDeselect={false}
            w={{ base: '100%', sm: 184 }}
          />
          <SearchField
            label="Search"
            placeholder="Name or email"
            value={place.search ?? ''}
            onSearch={(search) => onChange({ search }, { replace: true })}
            flex="1 1 140px"
          />
        </>
      }
      on={countOn(place.cohort, place.status, place.eligibility)}
      onClear={isFiltered(place) ? () => onChange(noStipendFilters) : null}
    >
      <CohortPicker place={place} onChange={onChange} />
      <Select
        label="Status"
        data={statusOptions}
        value={place.status ?? all}
        onChange={(chosen) => onChange({ status: PaymentStatus.safeParse(chosen).data })}
        allowDeselect={false}
        w={{ base: '100%', xs: 130 }}
      />
      <Select
        label="Eligibility"
        data={eligibilityOptions}
        value={place.eligibility ?? all}
        onChange={(chosen) =>
          onChange({ eligibility: chosen === 'eligible' || chosen === 'not_eligible' ? chosen : undefined })
        }
        allowDeselect={false}
        w={{ base: '100%', xs: 130 }}
      />
      <Select
        label="Sort by"
        data={orderOptions}
        value={place.order ?? usualOrder}
        onChange={(chosen) => {
          const order = StipendOrder.safeParse(chosen).data;
          onChange({ order: order === usualOrder ? undefined : order });
        }}
        allowDeselect={false}
        w={{ base: '100%', xs: 150 }}
      />
    </FilterBar>
  );
}
