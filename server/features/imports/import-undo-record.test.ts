import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listImportRows, readImport, undoImport } from '#contract/import-results.ts';
import { assignCoach, buildCohort } from '#test/factories/cohorts.ts';
import { type BulkRecordInput, bulkRecordFor, bulkRecordsFor } from '#test/factories/imports.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type ImportsWithoutJobs, startImportsWithoutJobs } from '#test/support/imports-without-jobs.ts';
import { toldBy } from '#test/support/live-news.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';
import { refusalOfUndo } from './import-undo-queries.ts';

let { server, admin, client, keep, finish } = {} as ImportsWithoutJobs;
let cohort: Awaited<ReturnType<typeof buildCohort>>;

beforeAll(async () => {
  ({ server, admin, client, keep, finish } = await startImportsWithoutJobs());
});
afterAll(() => server.close());
beforeEach(async () => {
  cohort = await buildCohort(server.db);
});

async function bringIn(records: BulkRecordInput[]): Promise<string> {
  const importId = await keep(records);
  await finish(importId);
  return importId;
}

const undo = (id: string) => client.call(undoImport, { params: { id } });
const idsOf = async (id: string) =>
  (await client.call(listImportRows, { params: { id }, query: {} })).rows.map(({ userId }) => userId ?? '');

test('an undo is on record for the upload, for each person who goes, and for each person who loses a coach', async () => {
  const importId = await bringIn([bulkRecordFor(cohort, { role: 'coach' }), bulkRecordFor(cohort)]);
  const [coachId = '', participantId = ''] = await idsOf(importId);
  const staying = await buildParticipant(server.db);
  await assignCoach(server.db, { participantId: staying.id, coachId });
  await undo(importId);
  const trail = await server.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'subjectType', 'subjectId', 'before', 'after', 'reason'])
    .where('subjectId', 'in', [importId, coachId, participantId, staying.id])
    .where('action', 'in', ['import.undo', 'user.delete', 'coach.unassign'])
    .execute();
  const line = { actorId: admin.id, reason: 'The import was undone' };
  const gone = (subjectId: string, role: string) => {
    const of = { action: 'user.delete', subjectType: 'user', subjectId };
    return { ...line, ...of, before: { role, importId }, after: null };
  };
  expect(trail).toHaveLength(4);
  expect(trail).toEqual(
    expect.arrayContaining([
      {
        ...{
          ...line,
          action: 'import.undo',
          subjectType: 'bulk_import',
          subjectId: importId,
          before: null,
          reason: null,
        },
        after: { accounts: 2, participants: 1, coaches: 1, admins: 0, places: 1 },
      },
      gone(coachId, 'coach'),
      gone(participantId, 'participant'),
      {
        ...{ ...line, action: 'coach.unassign', subjectType: 'user', subjectId: staying.id },
        ...{ before: { coachId }, after: { coachId: null } },
      },
    ]),
  );
});

test('an undo tells the coaches who lose participants and the participants who lose a coach, and no others', async () => {
  const [coach, other] = [await buildCoach(server.db), await buildCoach(server.db)];
  const importId = await bringIn([
    bulkRecordFor(cohort, { role: 'coach' }),
    bulkRecordFor(cohort, { coach_email: coach.email }),
  ]);
  const [coachId = ''] = await idsOf(importId);
  const staying = await buildParticipant(server.db);
  await assignCoach(server.db, { participantId: staying.id, coachId });
  const news = await toldBy(server, () => undo(importId));
  for (const person of [coach, staying, admin]) expect(news(person)).toContain('coaches');
  expect(news(admin)).toEqual(expect.arrayContaining(['imports', 'people']));
  expect(news(other)).toEqual([]);
});

test('an import of which everybody was removed before, or that still runs, is not undone, and one that nobody knows is not found', async () => {
  const importId = await bringIn(bulkRecordsFor(cohort, 2));
  await server.db
    .updateTable('profiles')
    .set({ deletedAt: new Date() })
    .where('id', 'in', await idsOf(importId))
    .execute();
  const removed = 'Everybody of this import has been removed already.';
  expect(await client.call(readImport, { params: { id: importId } })).toMatchObject({
    undo: { accounts: 0, refusal: removed },
    can: { undo: false },
  });
  expect(await client.refused(undoImport, { params: { id: importId } })).toMatchObject({
    status: 409,
    problem: { code: 'conflict', detail: removed },
  });
  const running = await server.db
    .insertInto('bulkImports')
    .values({ filename: 'running.csv', totalRecords: 1, createdBy: admin.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect((await client.refused(undoImport, { params: running })).problem.detail).toContain('still running');
  const unknown = { params: { id: cohort.id } };
  const missing = { status: 404, problem: { detail: 'This upload was not found.' } };
  expect(await client.refused(undoImport, unknown)).toMatchObject(missing);
  expect(await client.refused(readImport, unknown)).toMatchObject(missing);
});

/** What other acts lock first, before they lock the person. */
const heldFirst: [what: string, hold: (personId: string) => RawBuilder<unknown>][] = [
  [
    'enrolls them',
    (id) => sql`
      select from cohorts where id in (select cohort_id from cohort_participants where participant_id = ${id}) for update`,
  ],
  ['sets their password', (id) => sql`select from auth.password_link where user_id = ${id} for update`],
  ['decides what they are told', (id) => sql`select from notice_events where user_id = ${id} for update`],
];

test.each(heldFirst)(
  'an undo waits for an act that %s, without holding the person whom that act needs',
  async (_, hold) => {
    const importId = await bringIn(bulkRecordsFor(cohort, 1));
    const [id = ''] = await idsOf(importId);
    await server.db
      .insertInto('noticeEvents')
      .values({ userId: id, kind: 'account', eventKey: `test:${id}` })
      .execute();
    let undoing: Promise<unknown> = Promise.resolve();
    await server.db.transaction().execute(async (act) => {
      const held = await hold(id).execute(act);
      expect(held.rows).toHaveLength(1);
      undoing = undo(importId);
      await somebodyWaits(server.db);
      const person = await sql`
      select from profiles join auth."user" sign_in using (id) where id = ${id} for update nowait`.execute(act);
      expect(person.rows).toHaveLength(1);
    });
    expect(await undoing).toEqual({ accounts: 1 });
  },
);

test('a person who comes in while an undo waits for them stays, and so does the whole import', async () => {
  const importId = await bringIn(bulkRecordsFor(cohort, 2));
  const ids = await idsOf(importId);
  let undoing: Promise<unknown> = Promise.resolve();
  await server.db.transaction().execute(async (signIn) => {
    await signIn
      .updateTable('auth.user')
      .set({ emailVerified: true })
      .where('id', '=', ids[0] ?? '')
      .execute();
    undoing = client.ask(undoImport, { params: { id: importId } });
    await somebodyWaits(server.db);
  });
  expect(await undoing).toMatchObject({ problem: { code: 'conflict' } });
  expect(await idsOf(importId)).toEqual(ids);
});

const ended = { hasEnded: true, undoneAt: null, successfulRecords: 3 };
const away = { accounts: 3, beenHere: 0, names: [] };
const words = 'accepted the invitation or signed in, so the import stays. Remove people one by one in User Management.';
const ten = Array.from({ length: 10 }, (_, index) => `Person ${index}`);

test.each([
  ['an upload that has ended', ended, away, null],
  [
    'an upload that runs',
    { ...ended, hasEnded: false, undoneAt: new Date() },
    away,
    'This import is still running. It can be undone when it has ended.',
  ],
  ['what was undone', { ...ended, undoneAt: new Date() }, away, 'This import was undone already.'],
  ['one who was here', ended, { ...away, beenHere: 1, names: ['Ida Wells'] }, `Ida Wells has ${words}`],
  ['two who were here', ended, { ...away, beenHere: 2, names: ['Ida', 'Ann'] }, `Ida, Ann have ${words}`],
  ['ten who were here', ended, { ...away, beenHere: 10, names: ten }, `${ten.join(', ')} have ${words}`],
  ['twelve who were here', ended, { ...away, beenHere: 12, names: ten }, `${ten.join(', ')} and 2 more have ${words}`],
  ['nobody who came in', { ...ended, successfulRecords: 0 }, { ...away, accounts: 0 }, 'This import added nobody.'],
  ['nobody who is left', ended, { ...away, accounts: 0 }, 'Everybody of this import has been removed already.'],
  ['one who is left', ended, { ...away, accounts: 1 }, null],
])('the answer to an undo of %s says why not, if so', (_, upload, presence, refusal) => {
  expect(refusalOfUndo(upload, presence)).toBe(refusal);
});
