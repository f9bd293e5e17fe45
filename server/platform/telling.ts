import { AsyncLocalStorage } from 'node:async_hooks';
import { type RawBuilder, sql } from 'kysely';
import type { Fact } from '#contract/facts.ts';
import type { Db } from '#server/db/database.ts';
import { factsSeenBy, isOfOneself, saidByNotes } from './fact-audiences.ts';

/** The channel that every process listens to. */
export const liveChannel = 'switchyard_live';

/** Whose facts changed: people by id, the members of cohorts, or everybody. An empty list tells only admins. */
type Whose = readonly string[] | { membersOf: readonly string[] } | 'everybody';

interface Change {
  facts: readonly Fact[];
  of: Whose;
}

interface Unsaid {
  payloads: string[];
  changes: Change[];
}

/** PostgreSQL takes less than 8,000 bytes. A payload with all facts has room for this many ids. */
const mostPeopleInPayload = 150;

const unsaid = new WeakMap<Db, Unsaid>();

/** What the transactions of one request changed, as far as its sender may see it. */
export interface Heard {
  actorId: string;
  /** The browser that sent the request recognizes live news of it by this id. */
  act: string | null;
  facts: Set<Fact>;
}

const hearing = new AsyncLocalStorage<Heard>();

/** Runs a request and notes in `heard` which facts its transactions change. */
export function hear<Answer>(heard: Heard, run: () => Promise<Answer>): Promise<Answer> {
  return hearing.run(heard, run);
}

/** The facts that acts and triggers' notes have said to be changed, by transaction under way. */
const saidFacts = new WeakMap<Db, Set<Fact>>();

/** From here on what is told in this transaction is kept for the statement that closes it. */
export function keepUnsaid(transaction: Db): void {
  unsaid.set(transaction, { payloads: [], changes: [] });
  saidFacts.set(transaction, new Set());
}

/**
 * An act says which facts of which people it changed. When the caller's transaction commits, their open browsers read
 * again what shows these facts. So do the browsers of their coaches and of the admins (fact-audiences.ts says which). An
 * act does not repeat what triggers note.
 */
export async function changed(db: Db, facts: Fact | readonly Fact[], of: Whose): Promise<void> {
  const change: Change = { facts: [facts].flat(), of };
  for (const fact of change.facts) saidFacts.get(db)?.add(fact);
  if (Array.isArray(of) && change.facts.every(isOfOneself)) return tell(db, ownNews(change.facts, of));
  const kept = unsaid.get(db);
  if (kept) kept.changes.push(change);
  else await sql`with ${tellings({ payloads: [], changes: [change] }, null)} select ${told}`.execute(db);
}

/** Nobody has to be looked up for facts that only the people themselves see. */
function ownNews(facts: readonly Fact[], ids: readonly string[]): string[] {
  const heard = hearing.getStore();
  if (heard) for (const fact of factsFor(heard.actorId, { facts, of: ids })) heard.facts.add(fact);
  const starts = Array.from(
    { length: Math.ceil(ids.length / mostPeopleInPayload) },
    (_, at) => at * mostPeopleInPayload,
  );
  return starts.map((start) =>
    JSON.stringify({ userIds: ids.slice(start, start + mostPeopleInPayload), facts, act: heard?.act ?? null }),
  );
}

/** Reaches every process that listens when the caller's transaction commits. */
export async function tell(db: Db, payloads: string[]): Promise<void> {
  if (payloads.length === 0) return;
  const kept = unsaid.get(db);
  if (kept) kept.payloads.push(...payloads);
  else await sql`select pg_notify(${liveChannel}, payload) from unnest(${payloads}::text[]) as payload`.execute(db);
}

/** The facts that this transaction has said so far. */
export function factsSaid(transaction: Db): ReadonlySet<Fact> {
  return saidFacts.get(transaction) ?? new Set();
}

/**
 * All that this transaction has to say, and what the notes in its `taken` say, as parts of the `with` of the statement
 * that closes it. That statement must have `told` as a column. Nothing is kept after it.
 */
export function said(transaction: Db): RawBuilder<unknown> {
  const kept = unsaid.get(transaction) ?? { payloads: [], changes: [] };
  unsaid.delete(transaction);
  return tellings(kept, sql`taken`);
}

/**
 * Tells the news of this transaction if the people of all of it are named already. Otherwise returns false: the closing
 * statement must look up who sees it.
 */
export async function tellNamedNews(transaction: Db): Promise<boolean> {
  const kept = unsaid.get(transaction);
  if (kept && kept.changes.length > 0) return false;
  unsaid.delete(transaction);
  await tell(transaction, kept?.payloads ?? []);
  return true;
}

export const told = sql<number>`(select count(pg_notify(${sql.lit(liveChannel)}, payload)) from payloads)`;

/** What the notes said counts as said in this transaction, and the request learns of it. */
export function hearNotes(transaction: Db, notes: readonly string[]): void {
  const heard = hearing.getStore();
  for (const fact of notes.flatMap((noted) => saidByNotes[noted] ?? [])) {
    saidFacts.get(transaction)?.add(fact);
    heard?.facts.add(fact);
  }
}

/** Only what there is to say has a part. An empty part would be planned and begun at every act. */
function tellings({ payloads, changes }: Unsaid, taken: RawBuilder<unknown> | null): RawBuilder<unknown> {
  const heard = hearing.getStore();
  if (heard) for (const fact of changes.flatMap((change) => factsFor(heard.actorId, change))) heard.facts.add(fact);
  const act = sql`${heard?.act ?? null}::text`;
  const ofAll = [...new Set(changes.flatMap(({ facts, of }) => (of === 'everybody' ? facts : [])))];
  const sources = [...ofPeople(changes), ...ofMembers(changes), ...(taken ? [ofNotes(taken)] : [])];
  const parts = [
    ...(sources.length > 0
      ? [
          sql`select jsonb_build_object('userIds', jsonb_agg(id), 'facts', facts, 'act', ${act})::text
            from places group by facts, place`,
        ]
      : []),
    ...(ofAll.length > 0
      ? [sql`select jsonb_build_object('userIds', null, 'facts', ${ofAll}::text[], 'act', ${act})::text`]
      : []),
    ...(payloads.length > 0 ? [sql`select payload from unnest(${payloads}::text[]) as payload`] : []),
  ];
  const people = sources.length > 0 ? sql`${placesOf(sources)}, ` : sql``;
  return sql`${people}payloads (payload) as (${sql.join(parts, sql` union all `)})`;
}

/** An empty list tells only admins. */
function ofPeople(changes: readonly Change[]): RawBuilder<unknown>[] {
  const given = changes.flatMap(({ facts, of }) => (Array.isArray(of) ? [{ facts, person_ids: [null, ...of] }] : []));
  if (given.length === 0) return [];
  return [
    sql`select fact, person_id from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as change (facts text[], person_ids uuid[]), unnest(facts) as fact, unnest(person_ids) as person_id`,
  ];
}

function ofMembers(changes: readonly Change[]): RawBuilder<unknown>[] {
  const given = changes.flatMap(({ facts, of }) =>
    typeof of === 'object' && 'membersOf' in of ? [{ facts, cohort_ids: [null, ...of.membersOf] }] : [],
  );
  if (given.length === 0) return [];
  return [
    sql`select fact, member.participant_id from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as change (facts text[], cohort_ids uuid[])
      cross join unnest(facts) as fact cross join unnest(cohort_ids) as concerned (cohort_id)
      left join cohort_participants member on member.cohort_id = concerned.cohort_id and member.status = 'active'`,
  ];
}

function ofNotes(taken: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select follows.fact, taken.person_id from ${taken}
    join (values ${notesInSql}) as follows (note, fact) on follows.note = taken.fact`;
}

/** Who sees what changed, in parts that each fit a payload. */
function placesOf(sources: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`changed (fact, person_id) as (${sql.join(sources, sql` union `)}
    ), concerned (fact, id) as (
      select fact, person_id from changed where person_id is not null
      union
      select fact, course.coach_id from changed join user_courses course on course.user_id = changed.person_id
      where course.status = 'enrolled' and course.coach_id is not null and ${isSeenBy('coach')}
      union
      select fact, course.user_id from changed join user_courses course on course.coach_id = changed.person_id
      where course.status = 'enrolled' and ${isSeenBy('participants')}
      union
      select fact, admin.id from (select distinct fact from changed where ${isSeenBy('admins')}) as seen
      cross join profiles admin where admin.role = 'admin' and admin.deleted_at is null
    ), audiences as (
      select id, array_agg(fact order by fact) as facts from concerned group by id
    ), places as (
      select id, facts, (row_number() over (partition by facts order by id) - 1) / ${sql.lit(mostPeopleInPayload)} as place from audiences
    )`;
}

/** Stands in the text, so that PostgreSQL knows it when it plans. */
function isSeenBy(viewer: Parameters<typeof factsSeenBy>[0]): RawBuilder<unknown> {
  return sql`fact = any(${sql.lit(`{${factsSeenBy(viewer).join(',')}}`)}::text[])`;
}

const notesInSql = sql.join(
  Object.entries(saidByNotes).flatMap(([note, facts]) =>
    facts.map((fact) => sql`(${sql.lit(note)}, ${sql.lit(fact)})`),
  ),
);

/** The actor does not learn of facts that only others see. */
function factsFor(actorId: string, { facts, of }: Change): Fact[] {
  const isOwn = of === 'everybody' || (Array.isArray(of) && of.includes(actorId));
  return facts.filter((fact) => isOwn || !isOfOneself(fact));
}
