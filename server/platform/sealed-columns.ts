import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { openSealed, type Secrets, sealText } from './secret-box.ts';

/** A column that holds what `sealText` made, for longer than a secret of the instance may last. */
export interface SealedColumn {
  /** What it holds, in words for whoever runs the product. */
  what: string;
  /** With its schema. */
  table: string;
  key: string;
  column: string;
  purposeOf(key: string): string;
  /** A column beside it with a hash of the same text. */
  hashed?: { column: string; rehash(secrets: Secrets, text: string, hash: string): string };
}

interface SealedRow {
  key: string;
  sealed: string;
  hash: string | null;
}

const rowsAtOnce = 500;

/**
 * Seals with the present secret what a former one sealed. Returns how many rows that was. A row that no secret opens
 * stays as it is, and so does one that changes meanwhile.
 */
export async function sealAnew(db: Db, secrets: Secrets, column: SealedColumn): Promise<number> {
  let renewed = 0;
  for await (const rows of pagesOf(db, column)) {
    const fresh = rows.flatMap((row) => sealedAnew(secrets, column, row) ?? []);
    if (fresh.length === 0) continue;
    const { table, key, column: name, hashed } = column;
    const written = await sql`
      update ${sql.table(table)} kept set ${sql.ref(name)} = fresh.sealed
        ${hashed ? sql`, ${sql.ref(hashed.column)} = fresh.hash` : sql``}
      from unnest(${fresh.map((row) => row.key)}::text[], ${fresh.map((row) => row.before)}::text[],
        ${fresh.map((row) => row.sealed)}::text[], ${fresh.map((row) => row.hash)}::text[])
        as fresh (key, before, sealed, hash)
      where kept.${sql.ref(name)} = fresh.before and kept.${sql.ref(key)}::text = fresh.key`.execute(db);
    renewed += Number(written.numAffectedRows ?? 0n);
  }
  return renewed;
}

/** Counts the rows that none of the secrets opens. */
export async function countUnopenable(db: Db, secrets: Secrets, column: SealedColumn): Promise<number> {
  let count = 0;
  for await (const rows of pagesOf(db, column)) {
    count += rows.filter((row) => opened(secrets, column, row) === null).length;
  }
  return count;
}

async function* pagesOf(db: Db, { table, key, column, hashed }: SealedColumn): AsyncGenerator<SealedRow[]> {
  let after: string | null = null;
  for (;;) {
    const page: { rows: SealedRow[] } = await sql<SealedRow>`
      select ${sql.ref(key)}::text as key, ${sql.ref(column)} as sealed,
        ${hashed ? sql.ref(hashed.column) : sql`null`} as hash
      from ${sql.table(table)} ${after === null ? sql`` : sql`where ${sql.ref(key)} > ${after}`}
      order by ${sql.ref(key)} limit ${rowsAtOnce}`.execute(db);
    if (page.rows.length > 0) yield page.rows;
    if (page.rows.length < rowsAtOnce) return;
    after = page.rows.at(-1)?.key ?? null;
  }
}

function sealedAnew(secrets: Secrets, column: SealedColumn, row: SealedRow) {
  const found = opened(secrets, column, row);
  if (found === null || found.isCurrent) return null;
  const { hashed, purposeOf } = column;
  const hash = hashed && row.hash !== null ? hashed.rehash(secrets, found.text, row.hash) : null;
  return { key: row.key, before: row.sealed, sealed: sealText(secrets, purposeOf(row.key), found.text), hash };
}

function opened(secrets: Secrets, { purposeOf }: SealedColumn, { key, sealed }: SealedRow) {
  try {
    return openSealed(secrets, purposeOf(key), sealed);
  } catch {
    return null;
  }
}
