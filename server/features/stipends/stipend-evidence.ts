import { z } from 'zod';
import { isAtRisk, type LostSoFar, type WeekFacts } from '#contract/stipend-rules.ts';
import { easternDay } from '#contract/weeks.ts';
import { now } from '#server/platform/clock.ts';
import { ruleSetInForce } from './rule-sets.ts';

const Day = z.iso.date();
/** Rows hold the form in which PostgreSQL puts an instant into jsonb, with its offset. */
const Instant = z.iso.datetime({ offset: true }).transform((instant) => new Date(instant).toISOString());

/**
 * The facts that a row was computed from, as `weekFacts` finds them. They explain the row after the facts have changed.
 */
export const StipendEvidence = z.object({
  joined: Day,
  ended: Day.nullable(),
  /** Anything held or due before this day does not count. Null if the whole week counts. */
  countsFrom: Day.nullable(),
  activities: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      day: Day.nullable(),
      accessedAt: Instant.nullable(),
      counts: z.boolean(),
    }),
  ),
  assignments: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      isRequired: z.boolean(),
      dueDate: Day.nullable(),
      status: z.string().nullable(),
      submittedAt: Instant.nullable(),
      counts: z.boolean(),
    }),
  ),
  rating: z
    .object({ value: z.number(), comment: z.string().nullable(), ratedBy: z.uuid(), ratedAt: Instant })
    .nullable(),
});
export type StipendEvidence = z.infer<typeof StipendEvidence>;

/** True if the week would fall short even if the rest of it went well. */
export function isOutOfReach(facts: WeekFacts, evidence: StipendEvidence | null): boolean {
  return evidence !== null && isAtRisk(facts, lostSoFar(evidence), ruleSetInForce());
}

/** What counts, is over or late by today, and was missed. */
function lostSoFar({ activities, assignments }: StipendEvidence): LostSoFar {
  const today = easternDay(now());
  const isPast = (day: string | null) => day !== null && day < today;
  return {
    activities: activities.filter(({ counts, accessedAt, day }) => counts && accessedAt === null && isPast(day)).length,
    assignments: assignments.filter(({ counts, status, dueDate }) => counts && status === null && isPast(dueDate))
      .length,
  };
}

const dayInWords = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** The reason why the whole week does not count for a person, or null. */
export function membershipNote(evidence: StipendEvidence | null, isMember: boolean): string | null {
  if (!isMember) return evidence?.ended ? `Left the cohort on ${inWords(evidence.ended)}` : 'No longer in the cohort';
  if (!evidence?.countsFrom) return null;
  const left = [...evidence.activities, ...evidence.assignments].filter(({ counts }) => !counts).length;
  if (left === 0) return null;
  return `Joined on ${inWords(evidence.countsFrom)}: what was held or due before that day does not count`;
}

function inWords(day: string): string {
  return dayInWords.format(new Date(`${day}T00:00:00Z`));
}
