import { CamelCasePlugin, createQueryId, DummyDriver, Kysely, PostgresDialect, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { expect, test } from 'vitest';
import { camelCaseResults, ourCompiler } from '#server/db/column-names.ts';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';

/** Opens no database. */
function dbOf(change: Partial<PostgresDialect>, plugin = camelCaseResults): Db {
  const dialect = Object.assign(new PostgresDialect({ pool: async () => expect.unreachable() }), {
    createDriver: () => new DummyDriver(),
    ...change,
  });
  return new Kysely<DB>({ dialect, plugins: [plugin] });
}

const theirs = dbOf({}, new CamelCasePlugin());
const ours = dbOf({ createQueryCompiler: ourCompiler });

const statements: ((db: Db) => { compile(): { sql: string } })[] = [
  (db) => db.selectFrom('coachMessages').selectAll().where('sentAt', '>', new Date()).orderBy('sentAt', 'desc'),
  (db) =>
    db
      .with('ownCohorts', (query) => query.selectFrom('cohortParticipants as own').select('own.cohortId'))
      .selectFrom('ownCohorts')
      .innerJoin('cohorts', 'cohorts.id', 'ownCohorts.cohortId')
      .select((row) => [
        'cohorts.startDate as firstDay',
        sql<number>`count(*) over (partition by ${sql.ref('cohorts.programType')}) as "keepsThis"`.as('allOfIt'),
        jsonArrayFrom(row.selectFrom('auth.user').select(['auth.user.emailVerified'])).as('signIns'),
      ]),
  (db) =>
    db
      .insertInto('pushSubscriptions')
      .columns(['userId', 'sessionId'])
      .expression((row) => row.selectFrom('auth.session').select(['userId', 'id']))
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ createdAt: sql<Date>`now()` })),
  (db) => db.updateTable('profiles').set({ lastName: 'A"b' }).where('deletedAt', 'is', null).returning('fullName'),
  (db) => db.selectFrom('profiles').select((row) => row.ref('profiles.id').as('odd"Name_of_HTML5Page')),
];

test.each(statements)('a statement reads as with the CamelCasePlugin: %#', (build) => {
  expect(build(ours).compile().sql).toBe(build(theirs).compile().sql);
});

test('rows read as with the CamelCasePlugin, with the JSON that they hold', async () => {
  const at = new Date();
  const row = {
    id: 1,
    created_at: at,
    _hidden: null,
    of__two: [1, { inner_name: [{ deep_name: 'a_b' }], list_of: [[{ not_renamed: 1 }]] }],
    week_16: { can_edit: true, bytes_of: Buffer.from('a'), alreadyCamel: undefined, ends_: 1 },
  };
  const other = { ...row, id: 2, week_16: null };
  const args = { queryId: createQueryId(), result: { rows: [row, other] } };
  const renamed = await camelCaseResults.transformResult(args);
  expect(renamed).toEqual(await new CamelCasePlugin().transformResult(args));
  expect(renamed.rows[0]).toMatchObject({ createdAt: at, week16: { canEdit: true } });
});
