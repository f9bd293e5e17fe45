import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { ReconciliationKind } from '#contract/payments.ts';
import { PaymentStatus, StipendOrder } from '#contract/stipends.ts';
import { mostWeeks } from '#contract/weeks.ts';
import { paths } from '../../app/paths.ts';

/** The parts of Stipend Management's address. A value without a meaning there counts as absent. */
const StipendPlace = z.object({
  week: z.coerce.number().int().min(1).max(mostWeeks).optional().catch(undefined),
  /** Without it, Reconciliation covers all cohorts. */
  cohort: z.uuid().optional().catch(undefined),
  tab: z.enum(['stipends', 'reconciliation']).optional().catch(undefined),
  /** The list of Reconciliation that is shown. */
  kind: ReconciliationKind.optional().catch(undefined),
  search: z.coerce.string().max(200).optional().catch(undefined),
  status: PaymentStatus.optional().catch(undefined),
  eligibility: z.enum(['eligible', 'not_eligible']).optional().catch(undefined),
  /** The usual order does not stand there. */
  order: StipendOrder.optional().catch(undefined),
  /** The stipend whose details are open. */
  stipend: z.uuid().optional().catch(undefined),
});
export type StipendPlace = z.infer<typeof StipendPlace>;

export function useStipendPlace() {
  const place = StipendPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<StipendPlace>, options: { replace?: boolean } = {}) =>
    void navigate({
      to: paths.stipendManagement,
      search: (before: object) => ({ ...before, ...changes }),
      replace: options.replace ?? false,
      resetScroll: false,
    });
  return { place, change };
}

export const usualOrder: StipendOrder = 'eligible';

export const noStipendFilters = {
  search: undefined,
  status: undefined,
  eligibility: undefined,
} satisfies Partial<StipendPlace>;

export function isFiltered({ search, status, eligibility }: StipendPlace): boolean {
  return Boolean(search || status || eligibility);
}
