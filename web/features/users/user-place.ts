import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { Role } from '#contract/roles.ts';
import { UserOrder } from '#contract/user-management.ts';
import { paths } from '../../app/paths.ts';

/** The parts of the list's address. A value without a meaning there counts as absent. */
const UserPlace = z.object({
  search: z.coerce.string().max(200).optional().catch(undefined),
  role: Role.optional().catch(undefined),
  order: UserOrder.optional().catch(undefined),
  /** The page. */
  at: z.string().max(4000).optional().catch(undefined),
});
export type UserPlace = z.infer<typeof UserPlace>;
export type ChangeUserPlace = (changes: Partial<UserPlace>) => void;

const usualOrder: UserOrder = 'newest';

/** The place in the address. The usual order does not stand there. */
export function useUserPlace() {
  const given = UserPlace.parse(useSearch({ strict: false }));
  const place = { ...given, order: given.order ?? usualOrder };
  const navigate = useNavigate();
  const goTo = (changes: Partial<UserPlace>, replace: boolean) =>
    void navigate({
      to: paths.userManagement,
      search: (before: object) => ({
        ...before,
        ...changes,
        ...(changes.order === usualOrder ? { order: undefined } : {}),
      }),
      replace,
      resetScroll: false,
    });
  return {
    place,
    isFiltered: Boolean(place.search || place.role),
    /** Another list begins with its first page. */
    change: (changes: Partial<UserPlace>) => goTo({ at: undefined, ...changes }, true),
    turnTo: (at: string | undefined) => goTo({ at }, false),
    clear: () => goTo({ search: undefined, role: undefined, at: undefined }, true),
  };
}
