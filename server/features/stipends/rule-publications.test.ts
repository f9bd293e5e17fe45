import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { discardRuleDraft, publishRules, type RuleDraft, readProgramme, saveRuleDraft } from '#contract/programmes.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startAppOfTwo } from '#test/support/two-admins.ts';
import { publishedRulesQueue } from './published-rules-queue.ts';

let app: TestApp;
let ada: BuiltPerson;
let bea: BuiltPerson;
let asAda: Client;
let asBea: Client;

beforeAll(async () => {
  ({ app, ada, bea, asAda, asBea } = await startAppOfTwo());
});
afterAll(() => app.close());

const rules: RuleDraft = {
  name: 'Hours',
  criteria: [{ name: 'Hours', fact: 'hoursAttended', limit: 120 }],
  amounts: { ...specifiedRules.amounts, perPeriodCents: 40_000 },
};

const overtaken = {
  code: 'stale',
  detail: 'Somebody else has changed this draft since you opened it. Both versions are shown.',
};

const storedOf = (programmeId: string) =>
  app.db.selectFrom('ruleSets').selectAll().where('programmeId', '=', programmeId).orderBy('version').execute();

const trailOf = (programmeId: string) =>
  app.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'subjectType', 'before', 'after'])
    .where('subjectId', '=', programmeId)
    .orderBy('at')
    .execute();

async function draftedRules(facts: { needsSecondApprover?: boolean } = {}) {
  const { id } = await buildProgramme(app.db);
  await buildCohort(app.db, { programmeId: id, ...facts });
  const { edition } = await asAda.call(saveRuleDraft, { params: { id }, body: { rules, edition: null } });
  return { params: { id }, body: { edition, fromDay: '2027-01-04' } };
}

test('a draft is begun, changed and thrown away, each on record and seen at once, and judges nothing', async () => {
  const { id } = await buildProgramme(app.db);
  const params = { id };
  const save = async (client: Client, edition: number | null, draft = rules) => {
    let reply: unknown;
    const told = await toldBy(app, async () => {
      reply = await client.call(saveRuleDraft, { params, body: { rules: draft, edition } });
    });
    return { reply, facts: told(bea) };
  };
  expect(await save(asAda, null)).toEqual({ reply: { edition: 1 }, facts: ['training'] });
  expect((await storedOf(id)).at(-1)).toMatchObject({
    ...{ version: 2, edition: 1, rules: { ...rules, version: 2 }, draftedBy: ada.id, draftedAt: expect.any(Date) },
    ...{ fromDay: null, publishedAt: null, firstPublishedBy: null },
  });
  const other = { ...rules, name: 'More hours' };
  expect(await save(asBea, 1, other)).toEqual({ reply: { edition: 2 }, facts: ['training'] });
  expect((await storedOf(id)).at(-1)).toMatchObject({
    ...{ version: 2, edition: 2, rules: { ...other, version: 2 }, draftedBy: bea.id },
  });
  for (const edition of [null, 1]) {
    const { problem } = await asAda.refused(saveRuleDraft, { params, body: { rules, edition } });
    expect(problem).toMatchObject(overtaken);
  }

  const discard = async () => {
    const told = await toldBy(app, async () => {
      expect(await asAda.call(discardRuleDraft, { params })).toEqual({ done: true });
    });
    return told(bea);
  };
  expect(await discard()).toEqual(['training']);
  expect(await discard()).toEqual([]);
  expect((await storedOf(id)).map(({ version }) => version)).toEqual([1]);
  const line = { subjectType: 'programme', before: null, after: null };
  expect(await trailOf(id)).toEqual([
    { ...line, action: 'rules.draft', actorId: ada.id, after: { edition: 1 } },
    { ...line, action: 'rules.draft', actorId: bea.id, after: { edition: 2 } },
    { ...line, action: 'rules.discard', actorId: ada.id, before: { edition: 2 } },
  ]);
});

test('a draft that is not there is neither changed nor published', async () => {
  const { id } = await buildProgramme(app.db);
  const params = { id };
  const gone = { code: 'stale', detail: 'This draft no longer exists. Please look again.' };
  expect((await asAda.refused(saveRuleDraft, { params, body: { rules, edition: 1 } })).problem).toMatchObject(gone);
  const body = { edition: 1, fromDay: '2027-01-04' };
  expect((await asAda.refused(publishRules, { params, body })).problem).toMatchObject(gone);
  expect(await storedOf(id)).toHaveLength(1);
});

test('one admin publishes what they saw, on record and seen at once, from a day after that of the rules before', async () => {
  const { params, body } = await draftedRules();
  const { problem } = await asAda.refused(publishRules, { params, body: { ...body, edition: 2 } });
  expect(problem).toMatchObject(overtaken);
  const detail = 'The rules before these are in force from 2000-01-01. Choose a later day.';
  expect(await asAda.refused(publishRules, { params, body: { ...body, fromDay: '2000-01-01' } })).toMatchObject({
    status: 422,
    problem: { detail, errors: [{ path: 'fromDay', message: detail }] },
  });
  const fromDay = '2000-01-02';
  const told = await toldBy(app, async () => {
    expect(await asAda.call(publishRules, { params, body: { ...body, fromDay } })).toEqual({
      ...{ status: 'published', version: 2 },
    });
  });
  expect(told(bea)).toEqual(['training']);
  const published = (await storedOf(params.id)).at(-1);
  expect(published).toMatchObject({
    ...{ fromDay, publishedBy: ada.id, publishedAt: expect.any(Date), firstPublishedBy: null },
  });
  const { rows: queued } = await sql<{ data: unknown }>`
    select data from pgboss.job where name = ${publishedRulesQueue.name}`.execute(app.db.withoutPlugins());
  expect(queued).toContainEqual({ data: { ruleSetId: published?.id } });
  expect((await trailOf(params.id)).at(-1)).toEqual({
    ...{ action: 'rules.publish', actorId: ada.id, subjectType: 'programme', before: null },
    after: { version: 2, fromDay },
  });
});

test('rules that nobody can meet any more are neither kept nor published', async () => {
  const { params, body } = await draftedRules();
  await app.db.updateTable('programmes').set({ daysPerWeek: 4 }).where('id', '=', params.id).execute();
  const message = 'Nobody can meet this: a stipend pays for 4 days at most.';
  expect(await asAda.refused(saveRuleDraft, { params, body: { rules, edition: 1 } })).toMatchObject({
    status: 422,
    problem: { detail: message, errors: [{ path: 'rules.criteria.0.limit', message }] },
  });
  expect(await asAda.refused(publishRules, { params, body })).toMatchObject({
    status: 422,
    problem: { detail: message, errors: [{ path: 'criteria.0.limit', message }] },
  });
});

test('of two who publish, the second is another admin, who chose the same day', async () => {
  const { params, body } = await draftedRules({ needsSecondApprover: true });
  expect(await asAda.call(publishRules, { params, body })).toEqual({ status: 'first_published', version: 2 });
  expect((await storedOf(params.id)).at(-1)).toMatchObject({
    ...{ fromDay: body.fromDay, firstPublishedBy: ada.id, firstPublishedAt: expect.any(Date), publishedAt: null },
  });
  const refusal = async (client: Client, fromDay = body.fromDay) =>
    (await client.refused(publishRules, { params, body: { ...body, fromDay } })).problem;
  expect(await refusal(asAda)).toMatchObject({
    code: 'conflict',
    detail: 'You published these rules first. Another admin has to publish them too.',
  });
  const message = 'The first admin chose 2027-01-04. Choose the same day.';
  expect(await refusal(asBea, '2027-01-11')).toMatchObject({ detail: message, errors: [{ path: 'fromDay', message }] });
  expect((await asBea.call(readProgramme, { params })).draft?.firstPublished?.byName).toBe('Ada Admin');
  expect(await asBea.call(publishRules, { params, body })).toEqual({ status: 'published', version: 2 });
  const after = { version: 2, fromDay: body.fromDay };
  expect((await trailOf(params.id)).slice(1)).toMatchObject([
    { action: 'rules.first_publish', actorId: ada.id, after },
    { action: 'rules.publish', actorId: bea.id, after },
  ]);
});

test('an admin whom another made one lately publishes nothing, and never together with that other', async () => {
  const { params, body } = await draftedRules({ needsSecondApprover: true });
  const madeByAda = async (daysAgo: number) => {
    const made = await buildAdmin(app.db, { firstName: 'Mia' });
    const grantedAt = sql<Date>`now() - make_interval(days => ${daysAgo})`;
    await app.db.insertInto('adminGrants').values({ personId: made.id, grantedBy: ada.id, grantedAt }).execute();
    return app.as(made);
  };
  const refusal = async (client: Client) => (await client.refused(publishRules, { params, body })).problem;
  expect(await refusal(await madeByAda(1))).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('You were made an admin less than 7 days ago.'),
  });
  await asAda.call(publishRules, { params, body });
  expect(await refusal(await madeByAda(8))).toMatchObject({
    code: 'conflict',
    detail: 'Two admins decide this together, and one of you made the other an admin. A third admin has to approve it.',
  });
  expect((await asBea.call(publishRules, { params, body })).status).toBe('published');
});
