import { type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { z } from 'zod';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { extensionsOfType, type FileType, type listUserFiles } from '#contract/user-files.ts';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import { ownUserFiles } from './file-access.ts';
import { isShownInPlace } from './file-kinds.ts';
import { usedSpace } from './file-space.ts';

type Filters = ParsedInputOf<typeof listUserFiles>['query'];

const pageSize = 50;

/** One statement for the page, the space and what is still on its way. */
export async function findUserFiles(db: Db, actor: Actor, filters: Filters) {
  const found = await db
    .selectNoFrom((eb) => [
      jsonArrayFrom(filesOf(db, actor, filters)).as('rows'),
      jsonArrayFrom(unfinishedUploadsOf(db, actor)).as('unfinished'),
      ownUserFiles(db, actor)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('fileCount'),
      eb.selectFrom(usedSpace(db, actor).as('used')).select('used.bytes').as('usedBytes'),
    ])
    .executeTakeFirstOrThrow();
  const rows = found.rows.slice(0, pageSize);
  const last = rows.at(-1);
  return {
    rows: rows.map((row) => ({ ...row, isShownInPlace: isShownInPlace(row.name) })),
    nextCursor: found.rows.length > pageSize && last ? writeCursor(last) : null,
    fileCount: found.fileCount ?? 0,
    usedBytes: found.usedBytes ?? 0,
    unfinished: found.unfinished,
  };
}

function filesOf(db: Db, actor: Actor, { search, type, cursor }: Filters) {
  const after = cursor === undefined ? null : readCursor(cursor);
  return ownUserFiles(db, actor)
    .select([
      'userFiles.id',
      'storedFiles.id as fileId',
      'userFiles.displayName as name',
      'userFiles.size',
      'userFiles.mimeType',
      sql<string>`user_files.upload_date`.as('uploadedAt'),
    ])
    .$if(search !== '', (query) => query.where('userFiles.displayName', 'ilike', `%${literally(search)}%`))
    .where((row) => isOfType(row, type))
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(user_files.upload_date, user_files.id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('userFiles.uploadDate', 'desc')
    .orderBy('userFiles.id', 'desc')
    .limit(pageSize + 1);
}

function isOfType(row: ExpressionBuilder<DB, 'userFiles'>, type: FileType) {
  if (type === 'all') return row.lit(true);
  const extension = sql<string>`lower(substring(user_files.display_name from '\\.([^.]+)$'))`;
  return row(extension, 'in', [...extensionsOfType[type]]);
}

function unfinishedUploadsOf(db: Db, actor: Actor) {
  return db
    .selectFrom('storedFiles')
    .select(['id', 'displayName as name', 'size', sql<string>`created_at`.as('begunAt')])
    .where('ownerId', '=', actor.id)
    .where('area', '=', 'my_files')
    .where('completedAt', 'is', null)
    .orderBy('createdAt')
    .limit(pageSize);
}

/** What was typed is no pattern. */
function literally(search: string): string {
  return search.replace(/[\\%_]/g, '\\$&');
}

const PageKey = z.tuple([z.iso.datetime({ offset: true }), z.uuid()]);

function writeCursor({ uploadedAt, id }: { uploadedAt: string; id: string }): string {
  return Buffer.from(`${uploadedAt}_${id}`).toString('base64url');
}

function readCursor(cursor: string): z.infer<typeof PageKey> {
  const key = PageKey.safeParse(Buffer.from(cursor, 'base64url').toString().split('_'));
  if (key.success) return key.data;
  throw new AppError('invalid_input', 'This page does not exist any more. Please start from the first one.');
}
