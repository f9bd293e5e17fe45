import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { HistoryPart } from '#contract/people.ts';

/** The parts of the page's address. A value without a meaning there counts as absent. */
const PersonPlace = z.object({ part: HistoryPart.optional().catch(undefined) });
type PersonPlace = z.infer<typeof PersonPlace>;

export function usePersonPlace() {
  const place = PersonPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: PersonPlace) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changes }), resetScroll: false });
  return { place, change };
}
