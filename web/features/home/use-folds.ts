import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';

/** Of participants, then of admins. */
const foldNames = [
  'figures',
  'deadlines',
  'pending',
  'coaching',
  'actions',
  'weeks',
  'recent',
  'standings',
  'waiting',
  'register',
  'system',
  'roles',
  'tracks',
] as const;
export type FoldName = (typeof foldNames)[number];

const Place = z.object({ open: z.string().optional().catch(undefined) });

/** The address says which folded parts are open, so a person who comes back finds them as they were. */
export function useFolds() {
  const open = (Place.parse(useSearch({ strict: false })).open ?? '').split('.');
  const navigate = useNavigate();
  const show = (names: readonly string[]) =>
    navigate({
      to: '.',
      search: (before: object) => ({ ...before, open: names.join('.') || undefined }),
      replace: true,
      resetScroll: false,
    });
  const isOpen = (name: FoldName) => open.includes(name);
  const others = (name: FoldName) => foldNames.filter((one) => one !== name && isOpen(one));
  return {
    isOpen,
    open: (name: FoldName) => show([...others(name), name]),
    toggle: (name: FoldName) => show(isOpen(name) ? others(name) : [...others(name), name]),
  };
}
