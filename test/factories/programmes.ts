import { type Insertable, sql } from 'kysely';
import { specifiedCalendar, specifiedRules } from '#contract/default-programme.ts';
import type { RuleSet } from '#contract/stipend-rules.ts';
import type { Db } from '#server/db/database.ts';
import type { ProgrammesTable } from '#server/db/schema.gen.ts';
import { newId } from '#server/platform/ids.ts';

/** A programme like the specified one, with its rules, unless said otherwise. */
export async function buildProgramme(
  db: Db,
  { rules = specifiedRules, ...facts }: Partial<Insertable<ProgrammesTable>> & { rules?: RuleSet } = {},
) {
  const { weeks, daysPerWeek, zone, payPeriod, holidays } = specifiedCalendar;
  const programme = await db
    .insertInto('programmes')
    .values({
      ...{ name: `Program ${newId()}`, weeks, daysPerWeek, zone, payPeriod, holidays: JSON.stringify(holidays) },
      kindLabels: JSON.stringify({ fellowship: 'Fellows', adult_mobilization: 'Adults', self_learner: 'Learners' }),
      ...facts,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto('programmeAudiences')
    .values({ programmeId: programme.id, label: 'Everybody', kinds: ['fellowship'], place: 1 })
    .execute();
  await publishRules(db, { programmeId: programme.id, rules, fromDay: '2000-01-01' });
  return programme;
}

/** They are in force for what begins on the day or later. Nothing is judged anew by this. */
export async function publishRules(db: Db, facts: { programmeId: string; rules: RuleSet; fromDay: string }) {
  const { programmeId, rules, fromDay } = facts;
  return db
    .insertInto('ruleSets')
    .values({
      ...{ programmeId, version: rules.version, rules: JSON.stringify(rules), fromDay },
      publishedAt: sql`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}
