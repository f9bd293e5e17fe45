import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snakeCaseOf } from '#server/db/column-names.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('a word that an index is limited to stands in the statement itself, because a named statement is planned without its values', async () => {
  const words = await wordsOfIndexes();
  expect(words).toEqual(expect.arrayContaining(['status enrolled', 'is_read false', 'is_shared true']));
  const files = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const bound = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'(?:\w+\.)?(\w+)', '=', '?(\w+)'?\)/g)]
      .filter(([, column = '', word]) => words.includes(`${snakeCaseOf(column)} ${word}`))
      .map(([found]) => `${file}: ${found}`),
  );
  expect(bound).toEqual([]);
});

/** As `status enrolled` for an index of the enrolled alone, and `is_read false` for one of what is not read. */
async function wordsOfIndexes(): Promise<string[]> {
  const { rows } = await sql<{ condition: string }>`
    select pg_get_expr(indpred, indrelid) as condition from pg_index
    join pg_class on pg_class.oid = indrelid join pg_namespace on pg_namespace.oid = relnamespace
    where indpred is not null and nspname = 'public'`.execute(server.db);
  const found = (condition: string, form: RegExp, truth = '') =>
    [...condition.matchAll(form)].map(([, column, word = truth]) => `${column} ${word}`);
  return rows.flatMap(({ condition }) => [
    ...found(condition, /\(?(\w+) = '(\w+)'::text/g),
    ...found(condition, /\(NOT (\w+)\)/g, 'false'),
    ...found(condition, /^\(?(\w+)(?: AND |$)/g, 'true'),
  ]);
}
