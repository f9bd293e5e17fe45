import { infiniteQueryOptions, useQuery } from '@tanstack/react-query';
import { listStipends, processStipends } from '#contract/stipends.ts';
import { pagesFor, queryFor } from '../../api/query-for.ts';
import type { StipendPlace } from './stipend-place.ts';

/**
 * Has the week computed whenever it is opened (STIP-23). True once that has ended, well or badly. A failure is in the
 * server's log and keeps nobody from the list (STIP-24).
 */
export function useProcessedWeek(week: number, cohortId: string | undefined): boolean {
  const processing = useQuery({
    ...queryFor(processStipends, { body: { weekNumber: week, cohortId } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return !processing.isPending;
}

/** While filters change, the former rows of the same week stay until the new ones are there. */
export function stipendPages(week: number, { cohort, search, status, eligibility, order }: StipendPlace) {
  return infiniteQueryOptions({
    ...pagesFor(listStipends, { query: { week, cohort, search, status, eligibility, order } }),
    staleTime: 0,
    placeholderData: (previous) => previous,
  });
}
