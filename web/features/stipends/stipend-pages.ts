import { useQuery } from '@tanstack/react-query';
import { listStipends, processStipends } from '#contract/stipends.ts';
import { pagesFor, queryFor } from '../../api/query-for.ts';
import type { StipendPlace } from './stipend-place.ts';

/**
 * Has the week computed whenever it is opened (STIP-23). True once that has ended, well or badly: a failure is in the
 * server's log and keeps nobody from the list (STIP-24).
 */
export function useProcessedWeek(week: number): boolean {
  const processing = useQuery({
    ...queryFor(processStipends, { body: { weekNumber: week } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return !processing.isPending;
}

/** While filters change, the rows of the same week stay until the new ones are there. */
export function stipendPages(week: number, { search, status, eligibility }: StipendPlace) {
  const pages = pagesFor(listStipends, { query: { week, search, status, eligibility } });
  return {
    ...pages,
    staleTime: 0,
    placeholderData: <Data>(previous: Data | undefined) => previous,
  };
}
