import { z } from 'zod';
import { ProgrammeDay } from './cohorts.ts';
import { Day, Id } from './endpoint.ts';
import { AudienceKey, deliveryMedia, deliveryModes } from './learning.ts';
import { unlessTooBig } from './validation-words.ts';
import { mostActivityWeeks } from './weeks.ts';
import { canBeFormatted, tooIntricate } from './written-text.ts';

/** TRAIN-13 */
const missingTitle = 'A title is required';
/** The program of the cohort says how many there are. */
const weekOutOfRange = 'The week must be a whole number from 1 on';

const optionalWords = (atMost: number) =>
  z
    .string()
    .trim()
    .max(atMost)
    .nullable()
    .transform((text) => text || null);

/** Every fact of a training activity that an admin writes, on any screen. An empty field is null. */
export const ActivityFacts = z.object({
  title: z.string(unlessTooBig(missingTitle)).trim().min(1, missingTitle).max(300),
  cohortId: Id.nullable(),
  weekNumber: z.int(weekOutOfRange).min(1, weekOutOfRange).max(mostActivityWeeks, weekOutOfRange),
  /** In a cohort, the day lies in the activity's week. */
  sessionDate: ProgrammeDay.nullable(),
  /** Wall-clock time `HH:MM` in the zone of the activity's program. */
  sessionTime: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as 14:30.')
    .nullable(),
  /** TRAIN-11: it is as typed, such as '2 hours'. */
  duration: z
    .string()
    .max(100)
    .nullable()
    .transform((text) => (text?.trim() ? text : null)),
  durationMinutes: z.number().int('Enter whole minutes.').min(1, 'At least a minute.').max(1440).nullable(),
  /**
   * It comes from the fixed list (TRAIN-10), or is the title of a module that is not archived. A name that the activity
   * already has may stay.
   */
  moduleName: optionalWords(300),
  deliveryMedium: z.enum(deliveryMedia).nullable(),
  trainingDeliveryMode: z.enum(deliveryModes).nullable(),
  deliveryPartner: optionalWords(300),
  location: optionalWords(2000),
  description: optionalWords(5000).refine(canBeFormatted, tooIntricate),
  isRequired: z.boolean(),
  /** Without any, the activity is hidden: participants do not see it, and it counts for nobody. What they did stays. */
  audiences: z.array(AudienceKey).max(30),
});
export type ActivityFacts = z.infer<typeof ActivityFacts>;

/** The same facts as the database has them. */
export const StoredActivityFacts = z.object({
  title: z.string(),
  cohortId: Id.nullable(),
  weekNumber: z.number().int(),
  sessionDate: Day.nullable(),
  sessionTime: z.string().nullable(),
  duration: z.string().nullable(),
  durationMinutes: z.number().int().nullable(),
  moduleName: z.string().nullable(),
  deliveryMedium: z.string().nullable(),
  trainingDeliveryMode: z.string().nullable(),
  deliveryPartner: z.string().nullable(),
  location: z.string().nullable(),
  description: z.string().nullable(),
  isRequired: z.boolean(),
  /** It is empty while the activity is hidden. */
  audiences: z.array(AudienceKey),
});
export type StoredActivityFacts = z.infer<typeof StoredActivityFacts>;
