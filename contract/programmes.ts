import { z } from 'zod';
import { Cursor, Day, Done, endpoint, Id, IdParams, Instant, pageOf, type ResponseOf } from './endpoint.ts';
import { Holidays } from './holidays.ts';
import { PayPeriod } from './pay-periods.ts';
import { TrackType } from './roles.ts';
import { AmountLine, RuleSet } from './stipend-rules.ts';
import { mostWeeks } from './weeks.ts';

const words = (missing: string, atMost: number) => z.string().trim().min(1, missing).max(atMost);

/** Whom an activity is meant for. It reaches the participants of its kinds. */
export const Audience = z.object({
  /** What activities carry. Null for a new one. */
  key: z.string().min(1).max(100).nullable(),
  label: words('Enter a name.', 100),
  kinds: z.array(TrackType),
});
export type Audience = z.infer<typeof Audience>;

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

let zones: ReadonlySet<string> | undefined;

/** A name of the tz database, as this machine knows them. */
function isZone(name: string): boolean {
  zones ??= new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  return zones.has(name);
}

export const ProgrammeFacts = z
  .object({
    name: words('Enter a name.', 200),
    weeks: z
      .number('Enter a number.')
      .int('Enter a whole number.')
      .min(1, 'At least one week.')
      .max(mostWeeks, `At most ${mostWeeks} weeks.`),
    /** The weekday on which its cohorts begin, 0 is Sunday. Null: any day. */
    firstWeekday: z.number().int().min(0).max(6).nullable(),
    daysPerWeek: z.number('Enter a number.').int('Enter a whole number.').min(1, 'At least 1.').max(7, 'At most 7.'),
    zone: z.string().refine(isZone, 'Choose a time zone from the list.'),
    payPeriod: PayPeriod,
    holidays: Holidays,
    /** What the kinds of participants are called. */
    kindLabels: z.record(TrackType, words('Enter a name.', 100)),
    /** The kinds that get stipends. */
    paidKinds: z.array(TrackType),
    audiences: z.array(Audience).min(1, 'Add an audience.').max(30),
    /** The names that activities can have for their module, beside those of the curriculum. */
    moduleNames: z.array(words('Enter a name.', 300)).max(200),
  })
  .superRefine(({ audiences, moduleNames }, context) => {
    refuseTwice(
      audiences.map(({ label }) => label),
      (place) => ['audiences', place, 'label'],
      context,
    );
    refuseTwice(moduleNames, (place) => ['moduleNames', place], context);
  });
/** Lists that are typed one a line: at most this many characters, with the ends of lines. */
export const longestModuleNames = 200 * 301;
export const longestHolidays = 200 * 112;
export const longestMarkedHolidays = 50 * 101;
export type ProgrammeFacts = z.infer<typeof ProgrammeFacts>;

function refuseTwice(names: string[], pathOf: (place: number) => (string | number)[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [place, name] of names.entries()) {
    const folded = name.toLowerCase();
    if (seen.has(folded))
      context.addIssue({ code: 'custom', path: pathOf(place), message: 'This name is there twice.' });
    seen.add(folded);
  }
}

/** Rules as an admin writes them. The version follows. */
export const RuleDraft = RuleSet.omit({ version: true });
export type RuleDraft = z.infer<typeof RuleDraft>;

const PublishedRules = z.object({
  id: Id,
  rules: RuleSet,
  /** It judges the stipends whose first day is not before this one, up to the next version. */
  fromDay: Day,
  publishedAt: Instant,
  /** Null for the specified rules, which nobody published. */
  publishedBy: z.string().nullable(),
});

const DraftRules = z.object({
  rules: RuleDraft,
  edition: z.number().int(),
  draftedBy: z.string().nullable(),
  /** Where two publish, the first, and the day from which they would be in force. */
  firstPublished: z.object({ byName: z.string(), at: Instant, fromDay: Day, isOwn: z.boolean() }).nullable(),
});

const Programme = z.object({
  ...ProgrammeFacts.shape,
  id: Id,
  isDefault: z.boolean(),
  isArchived: z.boolean(),
  cohorts: z.number().int(),
  version: z.number().int(),
});
export type Programme = z.infer<typeof Programme>;

export const listProgrammes = endpoint({
  name: 'listProgrammes',
  method: 'GET',
  path: '/api/programmes',
  access: 'programme.manage',
  summary: 'All programs by name, with what they say of time, kinds, audiences and modules.',
  shows: ['training', 'cohorts'],
  query: z.object({ search: z.coerce.string().max(200).default(''), cursor: Cursor.optional() }),
  response: pageOf(Programme),
});

export const readProgramme = endpoint({
  name: 'readProgramme',
  method: 'GET',
  path: '/api/programmes/:id',
  access: 'programme.manage',
  summary: 'One program with its rules: the published versions, the latest first, and the draft.',
  shows: ['training', 'cohorts', 'stipends'],
  params: IdParams,
  response: z.object({
    programme: Programme,
    published: z.array(PublishedRules),
    draft: DraftRules.nullable(),
    /** True if a cohort of the program needs two approvers. Then two publish rules. */
    needsTwo: z.boolean(),
    /** The reason why zone, pay period and days per week stay. Null if they can change. */
    timeStaysBecause: z.string().nullable(),
    /** The last week that has activities, attendance or stipends. The length cannot be below it. */
    lastWeekInUse: z.number().int(),
    /** The program's day. */
    today: Day,
  }),
});
export type ReadProgramme = ResponseOf<typeof readProgramme>;

export const NewProgramme = z.object({ sourceId: Id, name: words('Enter a name.', 200) });

export const copyProgrammeFacts = endpoint({
  name: 'copyProgrammeFacts',
  method: 'POST',
  path: '/api/programmes',
  access: 'programme.manage',
  summary:
    'Makes a program from another one; its rules come along as a draft. The id is the caller’s: a repeat makes one.',
  body: NewProgramme.extend({ id: Id }),
  response: IdParams,
});

export const updateProgramme = endpoint({
  name: 'updateProgramme',
  method: 'PUT',
  path: '/api/programmes/:id',
  access: 'programme.manage',
  summary: 'Writes a program anew, archives it or takes it back. What judged weeks rest on stays.',
  params: IdParams,
  body: z.object({ facts: ProgrammeFacts, isArchived: z.boolean(), version: z.number().int() }),
  response: IdParams,
});

export const saveRuleDraft = endpoint({
  name: 'saveRuleDraft',
  method: 'PUT',
  path: '/api/programmes/:id/rule-draft',
  access: 'programme.manage',
  summary: 'Keeps the draft of a program’s next rules. It judges nothing before it is published.',
  params: IdParams,
  /** Null begins a draft. */
  body: z.object({ rules: RuleDraft, edition: z.number().int().nullable() }),
  response: z.object({ edition: z.number().int() }),
});

export const discardRuleDraft = endpoint({
  name: 'discardRuleDraft',
  method: 'DELETE',
  path: '/api/programmes/:id/rule-draft',
  access: 'programme.manage',
  summary: 'Throws the draft of a program’s next rules away.',
  params: IdParams,
  response: Done,
});

const Outcome = z.object({ isEligible: z.boolean(), cents: z.number().int() });

/** So many people are named. The numbers are of all. */
export const mostTriedPeople = 200;

export const tryRules = endpoint({
  name: 'tryRules',
  method: 'POST',
  path: '/api/programmes/:id/rule-trials',
  access: 'programme.manage',
  takesLong: true,
  summary:
    'Judges a past week of a cohort by other rules and says who would change, by how much and in total. Writes nothing.',
  params: IdParams,
  body: z.object({ rules: RuleDraft, cohortId: Id, weekNumber: z.number().int().min(1).max(mostWeeks) }),
  response: z.object({
    people: z.number().int(),
    /** How many get the stipend, and how much in total. */
    before: z.object({ eligible: z.number().int(), cents: z.number().int() }),
    after: z.object({ eligible: z.number().int(), cents: z.number().int() }),
    changing: z.number().int(),
    rows: z.array(
      z.object({
        participantId: Id,
        name: z.string(),
        before: Outcome,
        after: Outcome.extend({ lines: z.array(AmountLine) }),
        /** What decides by the other rules, in words. */
        reasons: z.array(z.string()),
      }),
    ),
  }),
});
export type RuleTrial = ResponseOf<typeof tryRules>;

export const readPublicationEffect = endpoint({
  name: 'readPublicationEffect',
  method: 'GET',
  path: '/api/programmes/:id/publication-effect',
  access: 'programme.manage',
  summary: 'What it would do to publish the draft from a day on: stipends to judge anew, and decided ones that stay.',
  shows: ['stipends', 'cohorts'],
  params: IdParams,
  query: z.object({ fromDay: Day }),
  response: z.object({ cohorts: z.number().int(), judgedAnew: z.number().int(), decided: z.number().int() }),
});

export const publishRules = endpoint({
  name: 'publishRules',
  method: 'POST',
  path: '/api/programmes/:id/rule-publications',
  access: 'programme.manage',
  needsFreshProof: true,
  summary: 'Puts the draft in force from a day on, or is the first of two who do. Undecided stipends are judged anew.',
  params: IdParams,
  /** The edition that the admin saw. */
  body: z.object({ edition: z.number().int(), fromDay: Day }),
  response: z.object({
    status: z.enum(['published', 'first_published']),
    version: z.number().int(),
  }),
});

const Excused = z.object({ activityId: Id, participantId: Id });

export const excuseAbsence = endpoint({
  name: 'excuseAbsence',
  method: 'PUT',
  path: '/api/activities/:activityId/excuses/:participantId',
  access: 'attendance.correct',
  summary: 'Excuses a participant’s absence with a reason, before the stipend is decided. It stays an absence.',
  params: Excused,
  body: z.object({ reason: z.string().trim().min(1, 'Please say why.').max(500) }),
  response: Done,
});

export const takeExcuseBack = endpoint({
  name: 'takeExcuseBack',
  method: 'DELETE',
  path: '/api/activities/:activityId/excuses/:participantId',
  access: 'attendance.correct',
  summary: 'Takes an excuse back, before the stipend is decided.',
  params: Excused,
  response: Done,
});
