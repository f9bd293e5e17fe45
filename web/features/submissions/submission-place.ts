import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import type { Role } from '#contract/roles.ts';
import { type SubmissionOrder, SubmissionStatus, submissionOrders } from '#contract/submissions.ts';
import { WaitingAge } from '#contract/waiting-age.ts';
import { paths } from '../../app/paths.ts';

/** The parts of the list's address. A value without a meaning there counts as absent. */
const SubmissionPlace = z.object({
  tab: z.enum(['all', 'pending']).default('all').catch('all'),
  status: SubmissionStatus.optional().catch(undefined),
  mine: z.boolean().optional().catch(undefined),
  search: z.coerce.string().optional().catch(undefined),
  /** Lists only this person's work. */
  participant: z.uuid().optional().catch(undefined),
  age: WaitingAge.optional().catch(undefined),
  order: z.enum(submissionOrders).optional().catch(undefined),
  review: z.uuid().optional().catch(undefined),
});
type Changes = Partial<z.input<typeof SubmissionPlace>>;

/** The place as it holds for a role. Participants have no queue. Coaches begin with their own participants. */
export function useSubmissionPlace(role: Role) {
  const given = SubmissionPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const isReviewer = role !== 'participant';
  const tab = isReviewer ? given.tab : 'all';
  const place = {
    tab,
    status: tab === 'all' ? given.status : undefined,
    search: given.search || undefined,
    participant: isReviewer ? given.participant : undefined,
    age: tab === 'pending' ? given.age : undefined,
    order: given.order ?? usualOrder(tab),
    isMine: role === 'coach' && (given.mine ?? true),
    review: isReviewer ? given.review : undefined,
  };
  /** The usual order does not stand in the address. */
  const change = (changes: Changes, options: { replace?: boolean } = {}) =>
    void navigate({
      to: paths.submissions,
      search: (before: object) => ({
        ...before,
        ...changes,
        ...(changes.order === usualOrder(tab) ? { order: undefined } : {}),
      }),
      replace: options.replace ?? false,
      resetScroll: false,
    });
  return { place, change, isReviewer };
}

export const noSubmissionFilters = {
  status: undefined,
  search: undefined,
  participant: undefined,
  age: undefined,
} satisfies Changes;

export type SubmissionPlace = ReturnType<typeof useSubmissionPlace>['place'];

/** SUBM-06 */
function usualOrder(tab: 'all' | 'pending'): SubmissionOrder {
  return tab === 'pending' ? 'oldest' : 'newest';
}
