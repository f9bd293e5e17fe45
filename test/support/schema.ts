import { expect } from 'vitest';
import { createTestDatabase } from './database.ts';

/** PostgreSQL's codes for what a constraint refuses. */
export const violations = {
  unique: '23505',
  check: '23514',
  foreignKey: '23503',
  notNull: '23502',
  exclusion: '23P01',
};

/** Opens a database with plain statements on it, for the tests of the schema. */
export async function openSchema() {
  const { db, pool, leave } = await createTestDatabase();
  const run = async (statement: string): Promise<void> => {
    await pool.query(statement);
  };
  const one = async (statement: string): Promise<Record<string, unknown>> => {
    const { rows } = await pool.query<Record<string, unknown>>(statement);
    expect(rows).toHaveLength(1);
    return rows[0] ?? {};
  };
  return {
    db,
    pool,
    leave,
    run,
    one,
    newId: async () => String((await one('select time_ordered_id() as id')).id),
    columnsOf: async (table: string): Promise<string[]> => {
      const { rows } = await pool.query<{ name: string }>(
        "select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position",
        [table],
      );
      return rows.map(({ name }) => name);
    },
    /** Returns the code with which the database refuses the statement. */
    refusal: async (statement: string): Promise<string | undefined> => {
      const failure = await pool.query(statement).then(
        () => undefined,
        (error: { code?: string }) => error,
      );
      return failure?.code;
    },
  };
}

export type Schema = Awaited<ReturnType<typeof openSchema>>;

export function words(list: string): string[] {
  return list.split(/\s+/);
}
