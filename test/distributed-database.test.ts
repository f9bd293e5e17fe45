import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/database.ts';

/** The large tables that docs/scaling.md would spread over nodes by cohort, and the small ones that every node would have. */
const spread = [
  'attendance_records',
  'content_submissions',
  'content_ticks',
  'performance_feedback',
  'stipend_eligibility',
];
const onEveryNode = ['cohorts', 'training_activities', 'content_items', 'content_assignments', 'programmes'];

/** What such a database refuses across nodes, or keeps to one node. Names of Kysely's methods count as their SQL. */
const constructs: Record<string, RegExp> = {
  'row locks': /\bfor (no key )?update\b|\bfor (key )?share\b|\.for(NoKey)?Update\(|\.for(Key)?Share\(/g,
  'lateral parts': /\blateral\b|JoinLateral\(/g,
  'recursive parts': /\bwith recursive\b|\.withRecursive\(/g,
  'writes within a with': /\bas (?:(?:not )?materialized )?\(\s*(?:insert into|update|delete from)\b/g,
  'advisory locks': /\bpg_(?:try_)?advisory_\w+/g,
  'news by LISTEN': /\bpg_notify\b|['`"]listen \$?/g,
  'isolation levels': /\bisolation level\b|\.setIsolationLevel\(/g,
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.leave());

test('what of the schema stands in the way of spreading it over nodes is on the list', async () => {
  const { rows } = await sql<{ line: string }>`
    with spread as (
      select oid, relname, exists (
        select from pg_attribute where attrelid = oid and attname = 'cohort_id' and not attisdropped) as has_cohort
      from pg_class where relnamespace = 'public'::regnamespace and relname = any(${spread})
    ), cohort as (
      select attrelid, attnum from pg_attribute where attname = 'cohort_id' and not attisdropped
    )
    select relname || ' has no cohort' as line from spread where not has_cohort
    union all
    select child.relname || ' refers to ' || parent.relname || ' by ' || conname
    from pg_constraint constraining join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and (conrelid in (select oid from spread) or confrelid in (select oid from spread))
      and not (conrelid in (select oid from spread) and parent.relname = any(${onEveryNode}))
      and not exists (select from cohort where attrelid = conrelid and attnum = any(conkey))
    union all
    select spread.relname || ' is unique without the cohort by ' || index.relname
    from spread join pg_index on indrelid = spread.oid join pg_class index on index.oid = indexrelid
    where indisunique and not exists (select from cohort where attrelid = indrelid and attnum = any(indkey::int2[]))
    union all
    select spread.relname || ' has the trigger ' || tgname
    from spread join pg_trigger on tgrelid = spread.oid where not tgisinternal`.execute(database.db);
  const lines = rows.map(({ line }) => line).toSorted();
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('distributed-schema.txt');
  const countOf = (form: RegExp) => lines.filter((line) => form.test(line)).length;
  expect(countsIn('of the schema')).toEqual({
    'tables without a cohort': countOf(/ has no cohort$/),
    'foreign keys without the cohort': countOf(/ refers to /),
    'unique indexes without the cohort': countOf(/ is unique without /),
    triggers: countOf(/ has the trigger /),
  });
});

test('what of the statements stands in the way is on the list, with the file that has it', async () => {
  const found = filesOf('server').flatMap((file) => {
    const text = withoutComments(readFileSync(file, 'utf8'));
    return Object.entries(constructs).flatMap(([construct, form]) => {
      const count = [...text.matchAll(form)].length;
      return count > 0 ? [{ construct, file, count }] : [];
    });
  });
  const lines = found.map(({ construct, file, count }) => `${construct}: ${file} ${count}`).toSorted();
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('distributed-statements.txt');
  const sumOf = (name: string) =>
    found.reduce((sum, { construct, count }) => sum + (construct === name ? count : 0), 0);
  expect(countsIn('of the statements')).toEqual(
    Object.fromEntries(Object.keys(constructs).map((name) => [name, sumOf(name)])),
  );
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.gen.ts'))
    .map((name) => path.join(folder, name))
    .toSorted();
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** The numbers of the table in docs/scaling.md whose first head is this. */
function countsIn(head: string): Record<string, number> {
  const text = readFileSync('docs/scaling.md', 'utf8');
  const [, rows = ''] = new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'm').exec(text) ?? [];
  const cells = [...rows.matchAll(/^\| ([^|]+) \| (\d+) \|/gm)];
  return Object.fromEntries(cells.map(([, name = '', count]) => [name, Number(count)]));
}
