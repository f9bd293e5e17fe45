import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { AudienceKey } from '#contract/learning.ts';
import { mostActivityWeeks } from '#contract/weeks.ts';
import { paths } from '../../app/paths.ts';

/** The parts of the calendar's address. A value without a meaning there counts as absent. */
const CalendarPlace = z.object({
  search: z.coerce.string().max(200).optional().catch(undefined),
  week: z.coerce.number().int().min(1).max(mostActivityWeeks).optional().catch(undefined),
  module: z.coerce.string().max(200).optional().catch(undefined),
  programme: AudienceKey.optional().catch(undefined),
  view: z.enum(['calendar', 'list']).optional().catch(undefined),
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
  /** The day that is open on a phone. */
  day: z.iso.date().optional().catch(undefined),
  /** The folded weeks of the list that are open. */
  earlier: z.literal(true).optional().catch(undefined),
  later: z.literal(true).optional().catch(undefined),
  dialog: z.literal('subscribe').optional().catch(undefined),
});
export type CalendarPlace = z.infer<typeof CalendarPlace>;

export function useCalendarPlace() {
  const place = CalendarPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<CalendarPlace>, options: { replace?: boolean } = {}) =>
    void navigate({
      to: paths.trainingCalendar,
      search: (before: object) => ({ ...before, ...changes }),
      replace: options.replace ?? false,
      resetScroll: false,
    });
  return { place, change };
}

export const noFilters = {
  search: undefined,
  week: undefined,
  module: undefined,
  programme: undefined,
  month: undefined,
  day: undefined,
} satisfies Partial<CalendarPlace>;
