import { z } from 'zod';
import { Day, endpoint, Id, IdParams, Instant, type ResponseOf } from './endpoint.ts';
import { dayIn } from './moments.ts';

export const contentTypes = ['reading', 'video', 'assignment', 'link_task', 'certificate', 'quiz', 'project'] as const;
/** Attendance is recorded of these: a session (ACT-18), or a kind of content. */
export const attendedTypes = ['live_session', ...contentTypes] as const;
export const deliveryMedia = ['Online', 'In-person', 'Virtual', 'Hybrid'] as const;
export const deliveryModes = [
  'Self-paced Online',
  'SME-delivered In-person',
  'SME-delivered Hybrid',
  'SME-delivered Webconference',
] as const;
/** CAL-11 to CAL-16. It is null for coaches and admins, who complete nothing. */
export const ActivityState = z.enum(['completed', 'overdue', 'today', 'upcoming', 'locked']);
export type ActivityState = z.infer<typeof ActivityState>;

/** CAL-10: says when a locked activity opens. Its day opens it, or an admin opens its week before. */
export function opensOn(sessionDate: string | null): string {
  return sessionDate === null ? 'Not open yet' : `Opens ${dayIn(new Date(`${sessionDate}T12:00:00Z`), 'UTC')}`;
}

/** An audience of a program, by its key. */
export const AudienceKey = z.string().min(1).max(100);
export const NamedAudience = z.object({ key: AudienceKey, label: z.string() });
export type NamedAudience = z.infer<typeof NamedAudience>;

export const CalendarActivity = z.object({
  id: Id,
  title: z.string(),
  weekNumber: z.number().int(),
  sessionDate: Day.nullable(),
  /** Wall-clock time `HH:MM` in the zone of the activity's program. */
  sessionTime: z.string().nullable(),
  durationMinutes: z.number().int().nullable(),
  moduleName: z.string().nullable(),
  deliveryMedium: z.string().nullable(),
  cohortName: z.string().nullable(),
  /** A name of the tz database. */
  zone: z.string(),
  state: ActivityState.nullable(),
});
export type CalendarActivity = z.infer<typeof CalendarActivity>;

export const readTrainingCalendar = endpoint({
  name: 'readTrainingCalendar',
  method: 'GET',
  path: '/api/training-calendar',
  access: 'activities.read',
  mayReadReplica: true,
  summary:
    "The activities of the person's own programme (admins: all), by week and day; of many the 500 nearest to a day.",
  shows: ['training', 'attendance', 'cohorts', 'enrolments', 'people'],
  query: z.object({
    search: z.coerce.string().max(200).optional(),
    week: z.coerce.number().int().min(1).max(20).optional(),
    module: z.coerce.string().max(200).optional(),
    /** An audience's key. */
    programme: AudienceKey.optional(),
    /** It is today, unless the person looks at another day. */
    around: Day.optional(),
  }),
  response: z.object({
    activities: z.array(CalendarActivity),
    hasMore: z.boolean(),
    currentWeek: z.number().int().nullable(),
    /** Weeks of the person's own cohort that a holiday falls into (TIME-08). */
    holidays: z.array(z.object({ week: z.number().int(), name: z.string() })),
    today: Day,
    /** What an admin can filter by. It is empty for others. */
    audiences: z.array(NamedAudience),
    /** The names that modules can have in the person's program, or for staff in any. */
    modules: z.array(z.string()),
  }),
});
export type TrainingCalendar = ResponseOf<typeof readTrainingCalendar>;

export const readActivity = endpoint({
  name: 'readActivity',
  method: 'GET',
  path: '/api/activities/:id',
  access: 'activities.read',
  summary: "One activity: when, where, and the participant's own completion.",
  shows: ['training', 'attendance', 'cohorts', 'enrolments', 'people'],
  params: IdParams,
  response: CalendarActivity.extend({
    cohortId: Id.nullable(),
    duration: z.string().nullable(),
    location: z.string().nullable(),
    /** Set if the location is a link. */
    meetingUrl: z.string().nullable(),
    /** True only on the session's day in its zone (ACT-13). */
    isMeetingOpen: z.boolean(),
    deliveryPartner: z.string().nullable(),
    trainingDeliveryMode: z.string().nullable(),
    description: z.string().nullable(),
    /** It is empty for participants (ACT-02 to ACT-04). */
    audiences: z.array(NamedAudience),
    completedAt: Instant.nullable(),
    /** `record-attendance` needs this. It is null if there is nothing to complete. */
    completion: z.object({ fellowId: Id, cohortId: Id }).nullable(),
    can: z.object({ complete: z.boolean() }),
    /** Says why nobody can complete it now. */
    completionBlockedBecause: z.string().nullable(),
  }),
});
