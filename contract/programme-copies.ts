import { z } from 'zod';
import { Cohort, ProgrammeDay } from './cohorts.ts';
import { Cursor, Day, Done, endpoint, Id, IdParams, pageOf, type ResponseOf } from './endpoint.ts';

export const datedKinds = ['activity', 'content', 'assignment', 'requirement'] as const;
export const DatedKind = z.enum(datedKinds);
export type DatedKind = z.infer<typeof DatedKind>;

const MovedDate = z.object({
  kind: DatedKind,
  id: Id,
  title: z.string(),
  weekNumber: z.number().int().nullable(),
  oldDay: Day,
  newDay: Day,
  /** Wall-clock time `HH:MM` in the program's zone, which stays. */
  sessionTime: z.string().nullable(),
  /** The holiday on the new day. Null if it is none. */
  holiday: z.string().nullable(),
});
export type MovedDate = z.infer<typeof MovedDate>;

export const previewProgrammeDates = endpoint({
  name: 'previewProgrammeDates',
  method: 'GET',
  path: '/api/cohorts/:id/programme-dates',
  access: 'programme.manage',
  summary: "Where every date of a cohort's programme comes to lie with another start: same week, same weekday.",
  shows: ['training', 'cohorts'],
  params: IdParams,
  query: z.object({
    startDate: ProgrammeDay,
    only: z.literal('holidays').optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(MovedDate).extend({
    oldStartDate: Day,
    oldEndDate: Day,
    newEndDate: Day,
    /** Of all pages, also where only those on holidays are listed. */
    dates: z.number().int(),
    onHolidays: z.number().int(),
    /** Weeks with a holiday from Monday to Friday, counted from the new start. */
    holidayWeeks: z.array(z.object({ week: z.number().int(), holidays: z.array(z.string()) })),
    holds: z.object({
      activities: z.number().int(),
      contents: z.number().int(),
      assignments: z.number().int(),
      requirements: z.number().int(),
    }),
  }),
});
export type ProgrammeDates = ResponseOf<typeof previewProgrammeDates>;

export const moveCohort = endpoint({
  name: 'moveCohort',
  method: 'PUT',
  path: '/api/cohorts/:id/start',
  access: 'programme.manage',
  takesLong: true,
  summary: 'Gives a cohort another start; its end and all dates of its programme move along unless they are to stay.',
  params: IdParams,
  body: z.object({ startDate: ProgrammeDay, movesDates: z.boolean(), version: z.number().int() }),
  response: Cohort,
});

export const CopyFacts = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(200),
  startDate: ProgrammeDay,
  capacity: z.number('Enter a number.').int('Enter a whole number.').min(1, 'Enter 1 or more.').max(100_000),
});

export const copyProgramme = endpoint({
  name: 'copyProgramme',
  method: 'POST',
  path: '/api/programme-copies',
  access: 'programme.manage',
  takesLong: true,
  summary:
    "Copies a cohort's whole programme to a new start: activities, contents, assignments and requirements, no people. The caller makes the id, so that asking twice makes one copy.",
  body: CopyFacts.extend({ id: Id, sourceCohortId: Id }),
  response: z.object({ cohortId: Id, name: z.string(), activities: z.number().int() }),
});

export const undoProgrammeCopy = endpoint({
  name: 'undoProgrammeCopy',
  method: 'DELETE',
  path: '/api/programme-copies/:id',
  access: 'programme.manage',
  takesLong: true,
  summary:
    'Takes a copy back, with what was changed in its activities since, while nobody is or was enrolled, nobody worked on it and nothing else was put into it.',
  params: IdParams,
  response: Done,
});
