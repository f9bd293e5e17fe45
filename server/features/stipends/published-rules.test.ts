import { afterAll, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { publishRules as publish, readProgramme, readPublicationEffect, saveRuleDraft } from '#contract/programmes.ts';
import { approveStipend } from '#contract/stipends.ts';
import { followLeftChanges } from '#server/derivations.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { buildProgramme, publishRules } from '#test/factories/programmes.ts';
import { buildRating, buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';
import { startAppOfTwo } from '#test/support/two-admins.ts';
import { loadRuleSets } from './rule-sets.ts';
import { processWeek } from './stipends.ts';

let app: TestApp;
let asAda: Client;
let asBea: Client;

beforeAll(async () => {
  ({ app, asAda, asBea } = await startAppOfTwo());
});
afterAll(() => app.close());

const { version: _, ...draft } = { ...specifiedRules, name: 'A draft' };
const fromDay = '2027-01-04';

function ruleSetsOf(programmeId: string) {
  return app.db
    .selectFrom('ruleSets')
    .select(['id', 'publishedAt'])
    .where('programmeId', '=', programmeId)
    .orderBy('version')
    .execute();
}

test('published rules are read once and kept; a draft judges nothing', async () => {
  const { id: programmeId } = await buildProgramme(app.db);
  const second = { ...specifiedRules, version: 2, name: 'Second' };
  await publishRules(app.db, { programmeId, rules: second, fromDay });
  await asAda.call(saveRuleDraft, { params: { id: programmeId }, body: { rules: draft, edition: null } });
  const [first, other, unpublished] = (await ruleSetsOf(programmeId)).map(({ id }) => id);
  if (!first || !other || !unpublished) throw new Error('There are two published versions and a draft.');
  const read = async (...ids: string[]) => {
    let find: Awaited<ReturnType<typeof loadRuleSets>> | undefined;
    const statements = await countStatements(app.app.pool, async () => {
      find = await loadRuleSets(app.db, new Set(ids));
    });
    return { statements, rules: ids.map((id) => find?.(id)) };
  };
  expect(await read(first)).toEqual({ statements: 1, rules: [specifiedRules] });
  expect(await read(first, other)).toEqual({ statements: 1, rules: [specifiedRules, second] });
  expect(await read(first, other)).toEqual({ statements: 0, rules: [specifiedRules, second] });
  expect(await read()).toEqual({ statements: 0, rules: [] });
  await expect(read(unpublished)).rejects.toThrow(`The rules ${unpublished} are not published.`);
});

test('a program is read with its published rules, the latest first, and its draft, by whom and from when', async () => {
  const programme = await buildProgramme(app.db, { zone: 'Pacific/Auckland' });
  const params = { id: programme.id };
  const cohort = await buildCohort(app.db, { programmeId: programme.id, startDate: '2027-01-04' });
  const restore = stopClockAt('2026-12-01T20:00:00Z');
  const read = () => asBea.call(readProgramme, { params });
  const specified = { rules: specifiedRules, fromDay: '2000-01-01', publishedBy: null };
  expect(await read()).toMatchObject({
    ...{ programme: { id: programme.id, name: programme.name }, draft: null, needsTwo: false, today: '2026-12-02' },
    ...{ published: [specified], timeStaysBecause: null, lastWeekInUse: 1 },
  });
  const { edition } = await asAda.call(saveRuleDraft, { params, body: { rules: draft, edition: null } });
  expect((await read()).draft).toEqual({ rules: draft, edition: 1, draftedBy: 'Ada Admin', firstPublished: null });

  await app.db.updateTable('cohorts').set({ needsSecondApprover: true }).where('id', '=', cohort.id).execute();
  await asAda.call(publish, { params, body: { edition, fromDay } });
  const firstPublished = { byName: 'Ada Admin', at: '2026-12-01T20:00:00.000Z', fromDay };
  const seen = await read();
  expect(seen).toMatchObject({ needsTwo: true, published: [specified] });
  expect(seen.draft?.firstPublished).toEqual({ ...firstPublished, isOwn: false });
  expect((await asAda.call(readProgramme, { params })).draft?.firstPublished).toEqual({
    ...firstPublished,
    isOwn: true,
  });

  await asBea.call(publish, { params, body: { edition, fromDay } });
  const [, published] = await ruleSetsOf(programme.id);
  const after = await read();
  restore();
  expect(after.draft).toBeNull();
  expect(after.published).toEqual([
    {
      ...{ id: published?.id, rules: { ...draft, version: 2 }, fromDay },
      ...{ publishedAt: '2026-12-01T20:00:00.000Z', publishedBy: 'Bea Board' },
    },
    { ...specified, id: expect.any(String), publishedAt: expect.any(String) },
  ]);
});

test('what a publication would do is said of the stipends that begin on its day or later, in this program alone', async () => {
  const { id: programmeId } = await buildProgramme(app.db);
  const { id: cohortId } = await buildCohort(app.db, { programmeId });
  const effectFrom = (day: string) =>
    asAda.call(readPublicationEffect, { params: { id: programmeId }, query: { fromDay: day } });
  expect(await effectFrom('2025-09-08')).toEqual({ cohorts: 0, judgedAnew: 0, decided: 0 });
  for (const weekNumber of [1, 2, 3]) await buildStipend(app.db, { cohortId, weekNumber });
  await buildStipend(app.db, { cohortId, weekNumber: 3, paymentStatus: 'denied' });
  await buildStipend(app.db, { weekNumber: 3 });
  expect(await effectFrom('2025-09-08')).toEqual({ cohorts: 1, judgedAnew: 3, decided: 1 });
  expect(await effectFrom('2025-09-16')).toEqual({ cohorts: 1, judgedAnew: 1, decided: 1 });
  expect(await effectFrom('2025-09-23')).toEqual({ cohorts: 0, judgedAnew: 0, decided: 0 });
});

test('published rules judge the undecided stipends that begin on their day or later, in every cohort of their program', async () => {
  const { id: programmeId } = await buildProgramme(app.db);
  const cohorts = [await buildCohort(app.db, { programmeId }), await buildCohort(app.db, { programmeId })];
  const other = await buildCohort(app.db, { programmeId: (await buildProgramme(app.db)).id });
  for (const { id: cohortId } of [...cohorts, other]) {
    const { id: fellowId } = await buildParticipant(app.db);
    await enrol(app.db, { cohortId, participantId: fellowId });
    for (const weekNumber of [1, 2, 3]) {
      await buildRating(app.db, { fellowId, cohortId, weekNumber });
      await processWeek(app.db, weekNumber, cohortId);
    }
  }
  // Otherwise the job that follows changes would judge these weeks too.
  await inTransaction(app.db, followLeftChanges);
  const rowsOf = ({ id }: { id: string }) =>
    app.db
      .selectFrom('stipendEligibility')
      .select(['id', 'version', 'rulesVersion', 'stipendAmountCents'])
      .where('cohortId', '=', id)
      .orderBy('weekNumber')
      .execute();
  const [decided] = (await rowsOf(cohorts[0] ?? other)).slice(2);
  if (!decided) throw new Error('There are three weeks.');
  await asBea.call(approveStipend, { params: { id: decided.id }, body: { version: decided.version } });

  const params = { id: programmeId };
  const less = { ...draft, amounts: { ...draft.amounts, perPeriodCents: 40_000 } };
  const { edition } = await asAda.call(saveRuleDraft, { params, body: { rules: less, edition: null } });
  await asAda.call(publish, { params, body: { edition, fromDay: '2025-09-15' } });
  const jobs = await app.runJobs();
  const judged = async (cohort?: { id: string }) =>
    (await rowsOf(cohort ?? other)).map(({ rulesVersion, stipendAmountCents }) => [rulesVersion, stipendAmountCents]);
  const [before, after] = [
    [1, 50_000],
    [2, 40_000],
  ];
  await expect.poll(() => judged(cohorts[1])).toEqual([before, after, after]);
  await expect.poll(() => judged(cohorts[0])).toEqual([before, after, before]);
  await jobs.stop();
  expect(await judged(other)).toEqual([before, before, before]);
});
