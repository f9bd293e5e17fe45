import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { ActivityFilters } from '#contract/training-activities.ts';
import type { paths } from '../../app/paths.ts';

/** The parts of both screens' addresses. A value without a meaning there counts as absent. */
const ActivityPlace = z.object({
  search: z.coerce.string().max(200).optional().catch(undefined),
  week: ActivityFilters.shape.week.catch(undefined),
  /** 'all' on a screen that would otherwise begin with one cohort. */
  cohort: z.union([z.literal('all'), ActivityFilters.shape.cohort]).catch(undefined),
  /** The start of the page, on the screen that turns pages. */
  after: z.string().max(4000).optional().catch(undefined),
  /** The activity whose contents are shown. */
  activity: z.uuid().optional().catch(undefined),
});
export type ActivityPlace = z.infer<typeof ActivityPlace>;

export type ChangePlace = (changes: Partial<ActivityPlace>, how?: { isPlaceToGoBackTo: boolean }) => void;

export function useActivityPlace(path: typeof paths.trainingManagement | typeof paths.contentManagement) {
  const place = ActivityPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: ChangePlace = (changes, { isPlaceToGoBackTo } = { isPlaceToGoBackTo: false }) =>
    void navigate({
      to: path,
      search: (before: object) => ({ ...before, ...changes }),
      replace: !isPlaceToGoBackTo,
      resetScroll: false,
    });
  const { search, week } = place;
  const cohort = place.cohort === 'all' ? undefined : place.cohort;
  return {
    place,
    filters: { search, week, cohort },
    change,
    isFiltered: Boolean(search || week || cohort),
    clear: () => change({ search: undefined, week: undefined, cohort: undefined, after: undefined }),
  };
}
