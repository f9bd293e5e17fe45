import { z } from 'zod';
import { Cursor, endpoint, Id, pageOf, SearchText } from './endpoint.ts';
import { Matching } from './matching.ts';
import { mostPeopleAtOnce, PeopleIds, PeoplePreview } from './people-sets.ts';
import { TrackType } from './roles.ts';

/** CASN-05 to CASN-07, CASN-12 */
export const assignmentRefusals = {
  nobodyChosen: 'Please select at least one participant',
  noCoachChosen: 'Please select a coach',
  noCourse: 'No Fellowship course found. Please create a Fellowship course first.',
  duplicate: 'Some participants are already assigned to this coach',
};

const Person = z.object({ id: Id, firstName: z.string(), lastName: z.string(), email: z.string() });

export const CoachChoice = Person.extend({
  /** Counts the participants who are enrolled under this coach now. */
  participantCount: z.number().int(),
});
export type CoachChoice = z.infer<typeof CoachChoice>;

export const listCoaches = endpoint({
  name: 'listCoaches',
  method: 'GET',
  path: '/api/coaches',
  access: 'cohorts.manage',
  mayReadReplica: true,
  summary: 'Coaches to choose from, by first name, each with how many participants they have (CASN-03, USER-38).',
  shows: ['people', 'coaches'],
  query: z.object({ search: SearchText.default(''), cursor: Cursor.optional() }),
  response: pageOf(CoachChoice),
});

const WaitingParticipant = Person.extend({
  trackType: TrackType.nullable(),
  /** What the program of the person's present cohort calls their kind. Null without a kind or a cohort. */
  kindName: z.string().nullable(),
  /** The cohort that they are in now. It is null without one. */
  cohortName: z.string().nullable(),
});
export type WaitingParticipant = z.infer<typeof WaitingParticipant>;

export const listParticipantsWithoutCoach = endpoint({
  name: 'listParticipantsWithoutCoach',
  method: 'GET',
  path: '/api/participants-without-coach',
  access: 'cohorts.manage',
  mayReadReplica: true,
  summary: 'Participants who are enrolled in a course there without a coach, by first name (CASN-02, CASN-03).',
  shows: ['people', 'enrolments', 'coaches', 'training'],
  query: z.object({ search: SearchText.default(''), cursor: Cursor.optional() }),
  response: pageOf(WaitingParticipant).extend({ matching: Matching }),
});

export const assignCoach = endpoint({
  name: 'assignCoach',
  method: 'POST',
  path: '/api/coach-assignments',
  access: 'cohorts.manage',
  summary: 'Gives participants without a coach one, all of them or none (CASN-07 to CASN-13).',
  body: z.object({
    participantIds: z
      .array(Id)
      .min(1, assignmentRefusals.nobodyChosen)
      .max(mostPeopleAtOnce, `At most ${mostPeopleAtOnce} participants can be assigned at once`),
    coachId: z.uuid(assignmentRefusals.noCoachChosen),
  }),
  response: z.object({ assigned: z.number().int(), coachName: z.string() }),
});

export const previewCoachAssignment = endpoint({
  name: 'previewCoachAssignment',
  method: 'POST',
  path: '/api/coach-assignments/preview',
  access: 'cohorts.manage',
  summary: 'Who of these people can be given this coach, and why each other one cannot. Writes nothing.',
  shows: ['people', 'enrolments', 'coaches', 'training'],
  body: z.object({ participantIds: PeopleIds, coachId: z.uuid(assignmentRefusals.noCoachChosen) }),
  response: PeoplePreview.extend({ coachName: z.string() }),
});
