import { z } from 'zod';
import { Day, endpoint, Id, IdParams, Instant } from './endpoint.ts';
import { mostWeeks } from './weeks.ts';

/** An admin has asked that one approver be enough. Another admin has to agree. */
const AskedOff = z.object({
  byName: z.string(),
  at: Instant,
  isOwn: z.boolean(),
  can: z.object({ agree: z.boolean() }),
});

export const listStipendCohorts = endpoint({
  name: 'listStipendCohorts',
  method: 'GET',
  path: '/api/stipends/cohorts',
  access: 'stipends.manage',
  mayReadReplica: true,
  summary: 'The cohorts that Stipend Management can show, the documented one first.',
  shows: ['cohorts', 'enrolments', 'stipends', 'people'],
  response: z.object({
    cohorts: z.array(
      z.object({
        id: Id,
        name: z.string(),
        status: z.string(),
        needsSecondApprover: z.boolean(),
        askedOff: AskedOff.nullable(),
        isDocumented: z.boolean(),
      }),
    ),
  }),
});

export const listUnprocessedCohorts = endpoint({
  name: 'listUnprocessedCohorts',
  method: 'GET',
  path: '/api/stipends/unprocessed-cohorts',
  access: 'stipends.manage',
  mayReadReplica: true,
  summary: 'Of the cohorts in which a week has begun: how many have its stipends, and which ones have none yet.',
  shows: ['cohorts', 'enrolments', 'stipends'],
  query: z.object({ week: z.coerce.number().int().min(1).max(mostWeeks) }),
  response: z.object({
    processed: z.number().int(),
    /** A cohort that is over still has the week if nobody calculated it. Its last day says so. */
    unprocessed: z.array(z.object({ id: Id, name: z.string(), endedOn: Day.nullable() })),
  }),
});

export const processUnprocessedCohorts = endpoint({
  name: 'processUnprocessedCohorts',
  method: 'POST',
  path: '/api/stipends/week-processing',
  access: 'stipends.manage',
  takesLong: true,
  summary:
    "Computes a week's eligibility of every cohort in which it has begun and has no stipends yet; safe to repeat.",
  body: z.object({ weekNumber: z.number().int().min(1).max(mostWeeks) }),
  response: z.object({ cohorts: z.number().int(), changedRows: z.number().int() }),
});

export const setSecondApprover = endpoint({
  name: 'setSecondApprover',
  method: 'PUT',
  path: '/api/stipends/cohorts/:id/second-approver',
  access: 'stipends.manage',
  needsFreshProof: true,
  summary:
    'Whether stipends of a cohort need the approval of two admins. Switching that off is only asked for; it is off when another admin sends the same with confirms.',
  params: IdParams,
  body: z.object({
    isNeeded: z.boolean(),
    /** True if the admin saw that another one asked, and agrees. */
    confirms: z.boolean().default(false),
  }),
  response: z.object({ isNeeded: z.boolean(), askedOff: AskedOff.nullable() }),
});
