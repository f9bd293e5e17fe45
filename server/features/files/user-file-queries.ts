import { type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { extensionsOfType, type FileType, type listUserFiles } from '#contract/user-files.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byInstant, descending, pagesBy } from '#server/platform/pages.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';
import { ownUserFiles } from './file-access.ts';
import { isShownInPlace } from './file-kinds.ts';
import { usedSpace } from './file-space.ts';

type Filters = ParsedInputOf<typeof listUserFiles>['query'];
type Owner = Pick<Actor, 'id'>;

const mostUnfinished = 50;
const pages = pagesBy(50, [descending(byInstant(sql`user_files.upload_date`)), descending(byId(sql`user_files.id`))]);

/** One statement returns the page, the space and what is still on its way. */
export async function findUserFiles(db: Db, actor: Actor, filters: Filters) {
  const [found] = isPlain(filters)
    ? await plainPage(db, { ownerId: actor.id })
    : await pageOf(db, actor, filters).execute();
  if (!found) throw new Error('A select of a person’s files answered no row.');
  const { rows, nextCursor } = pages.cut(found.rows, ({ uploadedAt, id }) => [uploadedAt, id]);
  return {
    rows: rows.map((row) => ({ ...row, isShownInPlace: isShownInPlace(row.name) })),
    nextCursor,
    fileCount: found.fileCount ?? 0,
    usedBytes: found.usedBytes ?? 0,
    unfinished: found.unfinished,
  };
}

const plain: Filters = { search: '', type: 'all' };

function isPlain({ search, type, cursor }: Filters): boolean {
  return search === plain.search && type === plain.type && cursor === undefined;
}

const plainPage = builtOnce((db, { ownerId }: { ownerId: string }) => pageOf(db, { id: ownerId }, plain));

function pageOf(db: Db, owner: Owner, filters: Filters) {
  return db.selectNoFrom((eb) => [
    jsonArrayFrom(filesOf(db, owner, filters)).as('rows'),
    jsonArrayFrom(unfinishedUploadsOf(db, owner)).as('unfinished'),
    ownUserFiles(db, owner)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .as('fileCount'),
    eb.selectFrom(usedSpace(db, owner).as('used')).select('used.bytes').as('usedBytes'),
  ]);
}

function filesOf(db: Db, owner: Owner, { search, type, cursor }: Filters) {
  return ownUserFiles(db, owner)
    .select([
      'userFiles.id',
      'storedFiles.id as fileId',
      'userFiles.displayName as name',
      'userFiles.size',
      'userFiles.mimeType',
      sql<string>`user_files.upload_date`.as('uploadedAt'),
    ])
    .where(isFoundByWords(search, foldedWordsOf(['user_files.display_name'])))
    .where((row) => isOfType(row, type))
    .where(pages.comesAfter(cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most);
}

function isOfType(row: ExpressionBuilder<DB, 'userFiles'>, type: FileType) {
  if (type === 'all') return row.lit(true);
  const extension = sql<string>`lower(substring(user_files.display_name from '\\.([^.]+)$'))`;
  return row(extension, '=', sql<string>`any(${[...extensionsOfType[type]]}::text[])`);
}

function unfinishedUploadsOf(db: Db, owner: Owner) {
  return db
    .selectFrom('storedFiles')
    .select(['id', 'displayName as name', 'size', sql<string>`created_at`.as('begunAt')])
    .where('ownerId', '=', owner.id)
    .where('area', '=', 'my_files')
    .where('completedAt', 'is', null)
    .orderBy('createdAt')
    .limit(mostUnfinished);
}
