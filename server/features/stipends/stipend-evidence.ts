import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { LostSoFar, WeekFacts } from '#contract/stipend-facts.ts';
import { type Conditions, lostCriteria } from '#contract/stipend-rules.ts';

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
      /** Evidence of before these were counted has neither. `lostSoFar` reads them. */
      minutes: z.number().optional(),
      isExcused: z.boolean().optional(),
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
export function isOutOfReach(facts: WeekFacts, lost: LostSoFar | null, rules: Conditions | null): boolean {
  return outOfReach(facts, lost, rules).length > 0;
}

/** The criteria that then fall short. `lost` is null without evidence, and `rules` for a day before all rules. */
export function outOfReach(facts: WeekFacts, lost: LostSoFar | null, rules: Conditions | null): string[] {
  return lost === null || rules === null ? [] : lostCriteria(facts, lost, rules);
}

/**
 * What counts, is over or late by today, and was missed. A list of fifty would otherwise carry 200 kB of evidence, which
 * is read and checked down to every activity. PostgreSQL puts the evidence together once because of the first offset.
 */
export function lostSoFar(evidence: RawBuilder<unknown>, today: RawBuilder<string>): RawBuilder<LostSoFar | null> {
  return sql`(
    select jsonb_build_object('activities', jsonb_array_length(missed), 'sessions', jsonb_array_length(missed),
      'minutes', coalesce((select sum((one -> 'minutes')::integer) from jsonb_array_elements(missed) one), 0),
      'unexcused', jsonb_array_length(jsonb_path_query_array(missed, '$[*] ? (!(@.isExcused == true))')),
      'assignments', jsonb_array_length(jsonb_path_query_array(held.evidence,
        '$.assignments[*] ? (@.counts == true && @.status == null && @.dueDate < $today)', held.today)))
    from (select ${evidence} as evidence, jsonb_build_object('today', ${today}) as today offset 0) held
    cross join jsonb_path_query_array(held.evidence,
      '$.activities[*] ? (@.counts == true && @.accessedAt == null && @.day < $today)', held.today) missed
    where held.evidence is not null)`;
}

/** The same of a row of `stipends`. Who attended and handed in everything has lost nothing, so no evidence is read. */
export function lostSoFarOf(stipends: RawBuilder<unknown>, today: RawBuilder<string>): RawBuilder<LostSoFar | null> {
  return sql`case
    when ${missedSomething(stipends)} then ${lostSoFar(sql`${stipends}.evidence`, today)}
    when ${stipends}.evidence is not null then ${sql.lit(JSON.stringify(nothingLost))}::jsonb end`;
}

/** The same in two columns, for a list: most rows have lost nothing, and need not say so in JSON. */
export function lostColumnsOf(stipends: RawBuilder<unknown>, today: RawBuilder<string>, isAsked: RawBuilder<boolean>) {
  const missed = missedSomething(stipends);
  return {
    lost: sql<LostSoFar | null>`case when ${isAsked} and ${missed} then ${lostSoFar(sql`${stipends}.evidence`, today)} end`,
    hasLostNothing: sql<boolean>`(${isAsked} and not ${missed} and ${stipends}.evidence is not null)`,
  };
}

function missedSomething(stipends: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${stipends}.activities_accessed < ${stipends}.activities_total
    or ${stipends}.assignments_submitted < ${stipends}.assignments_total)`;
}

export const nothingLost: LostSoFar = { activities: 0, assignments: 0, sessions: 0, minutes: 0, unexcused: 0 };

const dayInWords = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** The parts of the evidence that say why a week does not count whole for a person. */
export interface MembershipFacts {
  ended: string | null;
  /** The day before which nothing counts, if something was held or due before it. */
  countsFrom: string | null;
}

/**
 * Columns of any query, of a row with `is_member` and `evidence`. Without evidence they are null. PostgreSQL unpacks the
 * evidence at each look into it, so it looks only for what `membershipNote` says of the row.
 */
export function membershipFacts(row: RawBuilder<unknown>) {
  const evidence = sql`${row}.evidence`;
  return {
    ended: sql<string | null>`case when not ${row}.is_member then ${evidence} ->> 'ended' end`,
    countsFrom: sql<string | null>`case when ${row}.is_member and ${evidence} ->> 'countsFrom' is not null
      and (jsonb_path_exists(${evidence}, '$.activities[*] ? (@.counts == false)')
        or jsonb_path_exists(${evidence}, '$.assignments[*] ? (@.counts == false)')) then ${evidence} ->> 'countsFrom' end`,
  };
}

/** The reason why the whole week does not count for a person, or null. */
export function membershipNote({ ended, countsFrom }: MembershipFacts, isMember: boolean): string | null {
  if (!isMember) return ended ? `Left the cohort on ${inWords(ended)}` : 'No longer in the cohort';
  return countsFrom && `Joined on ${inWords(countsFrom)}: sessions and due dates before that day do not count`;
}

function inWords(day: string): string {
  return dayInWords.format(new Date(`${day}T00:00:00Z`));
}
