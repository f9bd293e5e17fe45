import { sql } from 'kysely';
import { mostDaysOf } from '#contract/pay-periods.ts';
import { type Programme, RuleDraft } from '#contract/programmes.ts';
import { outOfReachOfAll } from '#contract/stipend-rules.ts';
import type { Db } from '#server/db/database.ts';
import { findProgramme } from '#server/features/programmes/programme-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { refuseTaken } from '#server/platform/taken-names.ts';
import { changed } from '#server/platform/telling.ts';
import { publishedRulesQueue } from './published-rules-queue.ts';
import { needTwo } from './rule-set-queries.ts';
import { approvesFrom, maySecond } from './second-approver-queries.ts';
import { boundApprover, newAdminRefusal } from './stipend-access.ts';

/** Keeps the draft. A first of two publications lapses, because it was of other rules. */
export async function saveDraft(
  db: Db,
  actor: Actor,
  programmeId: string,
  { rules, edition }: { rules: RuleDraft; edition: number | null },
): Promise<{ edition: number }> {
  refuseUnmeetable(await findProgramme(db, programmeId), rules, ['rules']);
  const draft = await lockDraft(db, programmeId);
  if (draft === null) {
    if (edition !== null) throw draftGone();
    // Stryker disable next-line StringLiteral: The lock lets nobody else begin a draft meanwhile, so this is a second guard.
    const taken = refuseTaken('Somebody else has just begun a draft of these rules. Please look again.');
    await sql`
      insert into rule_sets (programme_id, version, rules, drafted_by, drafted_at)
      select ${programmeId}, version, ${JSON.stringify(rules)}::jsonb || jsonb_build_object('version', version),
        ${actor.id}, ${now()}
      from (select coalesce(max(version), 0) + 1 as version from rule_sets where programme_id = ${programmeId}) next`
      .execute(db)
      .catch(taken);
    return drafted(db, actor, programmeId, 1);
  }
  refuseOvertaken(draft.edition, edition ?? 0, 'draft');
  await sql`
    update rule_sets set rules = ${JSON.stringify(rules)}::jsonb || jsonb_build_object('version', version),
      edition = edition + 1, drafted_by = ${actor.id}, drafted_at = ${now()},
      from_day = null, first_published_by = null, first_published_at = null
    where id = ${draft.id}`.execute(db);
  return drafted(db, actor, programmeId, draft.edition + 1);
}

async function drafted(db: Db, actor: Actor, programmeId: string, edition: number) {
  await changed(db, 'training', 'everybody');
  await audit(db, actor.id, { action: 'rules.draft', ...subject(programmeId), after: { edition } });
  return { edition };
}

export async function discardDraft(db: Db, actor: Actor, programmeId: string) {
  const draft = await lockDraft(db, programmeId);
  if (draft === null) return { done: true as const };
  await db.deleteFrom('ruleSets').where('id', '=', draft.id).execute();
  await changed(db, 'training', 'everybody');
  await audit(db, actor.id, { action: 'rules.discard', ...subject(programmeId), before: { edition: draft.edition } });
  return { done: true as const };
}

/**
 * Puts the draft in force from a day on. Where two approve, the first one only says so, and the other one publishes from
 * the same day. Decided stipends stay. A job judges the others anew.
 */
export async function publish(
  db: Db,
  actor: Actor,
  programmeId: string,
  { edition, fromDay }: { edition: number; fromDay: string },
) {
  const programme = await findProgramme(db, programmeId);
  const draft = await lockDraft(db, programmeId);
  if (draft === null) throw draftGone();
  refuseOvertaken(draft.edition, edition, 'draft');
  refuseUnmeetable(programme, RuleDraft.parse(draft.rules), []);
  const { approves, mayBeSecond, inForceFrom } = await findStanding(db, actor, { programmeId, draft, fromDay });
  const refusal = newAdminRefusal({ approvesFrom: approves });
  if (refusal) throw refusal;
  if (inForceFrom !== null) {
    throw atField('fromDay', `The rules before these are in force from ${inForceFrom}. Choose a later day.`);
  }
  const { version, firstPublishedBy } = draft;
  if (firstPublishedBy === null && (await needTwo(db, programmeId))) {
    await db
      .updateTable('ruleSets')
      .set({ fromDay, firstPublishedBy: actor.id, firstPublishedAt: now() })
      .where('id', '=', draft.id)
      .execute();
    await record(db, actor, programmeId, { action: 'rules.first_publish', version, fromDay });
    return { status: 'first_published' as const, version };
  }
  if (firstPublishedBy === actor.id) {
    throw new AppError('conflict', 'You published these rules first. Another admin has to publish them too.');
  }
  if (!mayBeSecond) throw boundApprover();
  if (firstPublishedBy !== null && draft.fromDay !== fromDay) {
    throw atField('fromDay', `The first admin chose ${draft.fromDay}. Choose the same day.`);
  }
  await db
    .updateTable('ruleSets')
    .set({ fromDay, publishedBy: actor.id, publishedAt: now() })
    .where('id', '=', draft.id)
    .execute();
  await record(db, actor, programmeId, { action: 'rules.publish', version, fromDay });
  await enqueue(db, publishedRulesQueue, { ruleSetId: draft.id });
  return { status: 'published' as const, version };
}

async function record(
  db: Db,
  actor: Actor,
  programmeId: string,
  { action, ...after }: { action: 'rules.publish' | 'rules.first_publish'; version: number; fromDay: string },
): Promise<void> {
  await changed(db, 'training', 'everybody');
  await audit(db, actor.id, { action, ...subject(programmeId), after });
}

type Draft = NonNullable<Awaited<ReturnType<typeof lockDraft>>>;

/** The programme is locked too, so that two drafts or publications wait for each other. */
async function lockDraft(db: Db, programmeId: string) {
  await db.selectFrom('programmes').select('id').where('id', '=', programmeId).forNoKeyUpdate().execute();
  const draft = await db
    .selectFrom('ruleSets')
    .select(['id', 'version', 'rules', 'edition', 'fromDay', 'firstPublishedBy'])
    .where('programmeId', '=', programmeId)
    .where('publishedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return draft ?? null;
}

/** `inForceFrom` is the day of the latest published rules if it is not before the day that was chosen, or else null. */
async function findStanding(
  db: Db,
  actor: Actor,
  { programmeId, draft, fromDay }: { programmeId: string; draft: Draft; fromDay: string },
) {
  return db
    .selectNoFrom([
      approvesFrom(actor).as('approves'),
      maySecond(actor, sql`array[${draft.firstPublishedBy}::uuid]`).as('mayBeSecond'),
      sql<string | null>`(select max(from_day) from rule_sets
        where programme_id = ${programmeId} and published_at is not null and from_day >= ${fromDay})`.as('inForceFrom'),
    ])
    .executeTakeFirstOrThrow();
}

function refuseUnmeetable(programme: Programme, rules: RuleDraft, prefix: string[]): void {
  const errors = outOfReachOfAll(rules, mostDaysOf(programme)).map(({ path, message }) => ({
    path: [...prefix, ...path].join('.'),
    message,
  }));
  const [first] = errors;
  if (first) throw new AppError('invalid_input', first.message, { errors });
}

function draftGone(): AppError {
  return new AppError('stale', 'This draft no longer exists. Please look again.');
}

function atField(path: string, message: string): AppError {
  return new AppError('invalid_input', message, { errors: [{ path, message }] });
}

function subject(programmeId: string) {
  return { subjectType: 'programme', subjectId: programmeId };
}
