import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type EnrolmentTarget, listEnrolmentTargets } from '#contract/enrolments.ts';
import { queryFor } from '../../api/query-for.ts';
import { counted } from '../../ui/counted.ts';
import { ReadFailure } from '../../ui/Loaded.tsx';

/** USER-27: the cohorts that take people, each with its free places. */
export function CohortSelect(props: Pick<SelectProps, 'id' | 'value' | 'onChange' | 'error'>) {
  const targets = useQuery(queryFor(listEnrolmentTargets));
  return (
    <>
      <ReadFailure read={targets} failure="The cohorts could not be loaded" />
      <Select
        {...props}
        label="Cohort"
        placeholder={targets.isPending ? 'Loading cohorts' : 'Choose a cohort'}
        data={(targets.data?.cohorts ?? []).map(toOption)}
        nothingFoundMessage="No cohort is active or in planning"
        searchable
        selectFirstOptionOnChange
        // Without this, opening forgets a little later which option is marked, so that Enter on a slow phone chooses none.
        selectFirstOptionOnDropdownOpen
        openOnFocus={false}
        withAsterisk
        data-autofocus
      />
    </>
  );
}

function toOption({ id, name, status, capacity, currentEnrollment }: EnrolmentTarget) {
  const places = Math.max(0, capacity - currentEnrollment);
  const room = places === 0 ? 'full' : `${counted(places, 'place')} free`;
  return { value: id, label: `${name} (${status}, ${room})` };
}
