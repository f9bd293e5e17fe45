import { sql } from 'kysely';
import type { ReadProgramme } from '#contract/programmes.ts';
import { RuleDraft } from '#contract/programmes.ts';
import { RuleSet } from '#contract/stipend-rules.ts';
import { dayAt } from '#contract/weeks.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { findProgramme, findUses } from '#server/features/programmes/programme-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';

/** A programme that changed its rules every week for two years has fewer. */
const mostVersions = 110;

/** Finds a programme with its rules, in four statements. */
export async function findProgrammeWithRules(db: Db, actor: Actor, id: string): Promise<ReadProgramme> {
  const programme = await findProgramme(db, id);
  const rows = await ruleSets(db, { programmeId: id });
  const [draft] = rows.filter(({ publishedAt }) => publishedAt === null);
  return {
    programme,
    published: rows.flatMap(toPublished),
    draft: draft ? toDraft(draft, actor) : null,
    needsTwo: await needTwo(db, id),
    ...(await findUses(db, id)),
    today: dayAt(now(), programme.zone),
  };
}

const ruleSets = builtOnce((db, { programmeId }: { programmeId: string }) =>
  db
    .selectFrom('ruleSets')
    .leftJoin('profiles as drafter', 'drafter.id', 'ruleSets.draftedBy')
    .leftJoin('profiles as first', 'first.id', 'ruleSets.firstPublishedBy')
    .leftJoin('profiles as publisher', 'publisher.id', 'ruleSets.publishedBy')
    .select([
      'ruleSets.id',
      'ruleSets.rules',
      'ruleSets.edition',
      'ruleSets.fromDay',
      'ruleSets.publishedAt',
      'ruleSets.firstPublishedBy',
      'ruleSets.firstPublishedAt',
      'drafter.fullName as drafterName',
      'first.fullName as firstName',
      'publisher.fullName as publisherName',
    ])
    .where('ruleSets.programmeId', '=', programmeId)
    .orderBy('ruleSets.version', 'desc')
    .limit(mostVersions),
);

type StoredRules = Awaited<ReturnType<typeof ruleSets>>[number];

function toPublished({ id, rules, fromDay, publishedAt, publisherName }: StoredRules): ReadProgramme['published'] {
  // Stryker disable next-line ConditionalExpression: A published version has both, and a draft has no instant.
  if (fromDay === null || publishedAt === null) return [];
  const publication = { publishedAt: publishedAt.toISOString(), publishedBy: publisherName };
  return [{ id, rules: RuleSet.parse(rules), fromDay, ...publication }];
}

function toDraft(draft: StoredRules, actor: Actor): ReadProgramme['draft'] {
  const { rules, edition, drafterName } = draft;
  return {
    ...{ rules: RuleDraft.parse(rules), edition, draftedBy: drafterName },
    firstPublished: toFirstPublished(draft, actor),
  };
}

function toFirstPublished({ firstPublishedBy, firstPublishedAt, firstName, fromDay }: StoredRules, actor: Actor) {
  // Stryker disable next-line ConditionalExpression,LogicalOperator: All three are written together.
  if (firstPublishedAt === null || firstName === null || fromDay === null) return null;
  return { byName: firstName, at: firstPublishedAt.toISOString(), fromDay, isOwn: firstPublishedBy === actor.id };
}

/** True if two admins approve what a cohort of the programme is paid. Then two publish its rules. */
export async function needTwo(db: Db, programmeId: string): Promise<boolean> {
  const rows = await needsOf(db, { programmeId });
  return rows.some(({ isNeeded }) => Boolean(isNeeded));
}

const needsOf = builtOnce((db, { programmeId }: { programmeId: string }) =>
  db.selectNoFrom(({ exists, selectFrom }) =>
    exists(
      selectFrom('cohorts').select('id').where('programmeId', '=', programmeId).where('needsSecondApprover', '=', true),
    ).as('isNeeded'),
  ),
);

/** Finds what it would do to put other rules in force from a day on. */
export async function findPublicationEffect(db: Db, programmeId: string, fromDay: string) {
  const { rows } = await sql<{ cohorts: number; judgedAnew: number; decided: number }>`
    select count(distinct calendar.id)::integer as cohorts,
      (count(*) filter (where stipend.payment_status = 'pending'))::integer as judged_anew,
      (count(*) filter (where stipend.payment_status <> 'pending'))::integer as decided
    from cohort_calendars calendar join stipend_eligibility stipend on stipend.cohort_id = calendar.id
    where calendar.programme_id = ${programmeId} and ${beginsFrom(fromDay)}`.execute(db);
  // Stryker disable next-line ObjectLiteral: Counts over no rows are a row too.
  return rows[0] ?? { cohorts: 0, judgedAnew: 0, decided: 0 };
}

/** Expects a row of `stipend_eligibility` as `stipend`, and its cohort as `calendar`. */
export function beginsFrom(fromDay: string) {
  return sql<boolean>`period_first_day(calendar.start_date, calendar.pay_period, stipend.week_number) >= ${fromDay}::date`;
}
