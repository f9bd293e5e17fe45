import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import {
  mostSavedFilters,
  type SavedFilters,
  type SavedSearch,
  type saveFilters as saveContract,
} from '#contract/saved-filters.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { asList, type Stored } from './saved-filter-queries.ts';

type Given = ParsedInputOf<typeof saveContract>['body'];

export async function saveFilters(db: Db, actor: Actor, { list, name, search }: Given): Promise<SavedFilters> {
  const kept = await lockNames(db, actor, sql`list = ${list}`);
  refuseTaken(kept, name);
  if (kept.length >= mostSavedFilters) {
    throw new AppError('conflict', `You keep ${mostSavedFilters} filters for this list. Remove one to keep another.`);
  }
  const saved = await db
    .insertInto('savedFilters')
    .values({ ownerId: actor.id, list, name, search: JSON.stringify(byName(search)) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await changed(db, 'preferences', [actor.id]);
  return { id: saved.id, name, search };
}

export async function renameSavedFilters(db: Db, actor: Actor, id: string, name: string): Promise<SavedFilters> {
  const kept = await lockNames(
    db,
    actor,
    sql`list = (select list from saved_filters where id = ${id} and owner_id = ${actor.id})`,
  );
  const meant = kept.find((each) => each.id === id);
  if (!meant) throw gone();
  refuseTaken(
    kept.filter((each) => each !== meant),
    name,
  );
  await db.updateTable('savedFilters').set({ name }).where('id', '=', id).execute();
  await changed(db, 'preferences', [actor.id]);
  return { id, name, search: asList(meant.search) };
}

export async function removeSavedFilters(db: Db, actor: Actor, id: string): Promise<void> {
  const removed = await db
    .deleteFrom('savedFilters')
    .where('id', '=', id)
    .where('ownerId', '=', actor.id)
    .returning('id')
    .executeTakeFirst();
  if (!removed) throw gone();
  await changed(db, 'preferences', [actor.id]);
}

/** The person's row stands for all that they keep. If they keep two at once, one waits for the other. */
async function lockNames(db: Db, actor: Actor, ofList: ReturnType<typeof sql>) {
  await sql`select from profiles where id = ${actor.id} for no key update`.execute(db);
  const { rows } = await sql<{ id: string; name: string; search: Stored }>`
    select id, name, search from saved_filters where owner_id = ${actor.id} and ${ofList}`.execute(db);
  return rows;
}

function byName(search: SavedSearch): Stored {
  return Object.fromEntries(search.map(({ name, value }) => [name, value]));
}

function refuseTaken(kept: { name: string }[], name: string): void {
  if (!kept.some((each) => each.name.toLowerCase() === name.toLowerCase())) return;
  const message = 'You already have filters by that name here. Please choose another name.';
  throw new AppError('duplicate', message, { errors: [{ path: 'name', message }] });
}

function gone() {
  return notFound('These filters no longer exist.');
}
