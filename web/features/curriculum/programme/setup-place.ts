import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { CohortStatus } from '#contract/cohorts.ts';
import { mostActivityWeeks } from '#contract/weeks.ts';
import { paths } from '../../../app/paths.ts';

export const setupTabs = ['cohorts', 'programs', 'courses', 'modules', 'tracks', 'requirements', 'activities'] as const;
export type SetupTab = (typeof setupTabs)[number];

/** The parts of Programme Setup's address. A value without a meaning there counts as absent. */
const SetupPlace = z.object({
  tab: z.enum(setupTabs).catch('cohorts').default('cohorts'),
  search: z.coerce.string().max(200).optional().catch(undefined),
  status: CohortStatus.optional().catch(undefined),
  /** A filter of the modules. */
  curriculum: z.coerce.string().max(50).optional().catch(undefined),
  /**
   * The open cohort, or the one whose requirements or activities are shown. `none` stands for activities without a
   * cohort.
   */
  cohort: z
    .union([z.uuid(), z.literal('none')])
    .optional()
    .catch(undefined),
  /** The open program. */
  program: z.uuid().optional().catch(undefined),
  week: z.coerce.number().int().min(1).max(mostActivityWeeks).optional().catch(undefined),
});
export type SetupPlace = z.infer<typeof SetupPlace>;
export type ChangeSetupPlace = (changes: Partial<SetupPlace>, options?: { replace?: boolean }) => void;

const nothing = { search: undefined, status: undefined, curriculum: undefined, program: undefined, week: undefined };

export function useSetupPlace() {
  const place = SetupPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: ChangeSetupPlace = (changes, { replace = false } = {}) =>
    void navigate({
      to: paths.programmeSetup,
      search: (before: object) => ({ ...before, ...changes }),
      replace,
      resetScroll: false,
    });
  /** Another tab begins without filters, on the given cohort. */
  const open = (tab: SetupTab, cohort?: string) => change({ ...nothing, tab, cohort });
  return { place, change, open };
}
