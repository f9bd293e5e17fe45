import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { ProgressStatus } from '#contract/fellowship.ts';
import { standingGroups } from '#contract/standing.ts';
import { paths } from '../../app/paths.ts';

/** The parts of Cohort Progress's address. A value without a meaning there counts as absent. */
const CohortProgressPlace = z.object({
  cohort: z.uuid().optional().catch(undefined),
  search: z.coerce.string().max(200).optional().catch(undefined),
  status: ProgressStatus.optional().catch(undefined),
  standing: z.enum(standingGroups).optional().catch(undefined),
  /** The member whose modules are open. */
  member: z.uuid().optional().catch(undefined),
});
export type CohortProgressPlace = z.infer<typeof CohortProgressPlace>;

export function useCohortProgressPlace() {
  const place = CohortProgressPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<CohortProgressPlace>, options: { replace?: boolean } = {}) =>
    void navigate({
      to: paths.cohortProgress,
      search: (before: object) => ({ ...before, ...changes }),
      replace: options.replace ?? false,
      resetScroll: false,
    });
  return { place, change };
}
