import { afterAll, beforeAll, expect, test } from 'vitest';
import { listStipends, type StipendOrder, stipendOrders } from '#contract/stipends.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';

const week = 3;
let server: TestApp;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
  const cohorts = [
    await buildCohort(server.db, { name: 'beta' }),
    await buildCohort(server.db, { name: 'Alpha' }),
    await buildCohort(server.db, { name: 'Gamma' }),
  ];
  const statuses = ['denied', 'pending', 'approved', 'paid'];
  for (let index = 0; index < 120; index += 1) {
    const fellow = await buildParticipant(server.db, {
      firstName: index % 2 ? 'ana' : 'Bo',
      lastName: `L${index % 40}`,
    });
    await buildStipend(server.db, {
      fellowId: fellow.id,
      cohortId: cohorts[index % 3]?.id ?? '',
      weekNumber: week,
      stipendAmountCents: 10_000 * (index % 5),
      paymentStatus: statuses[index % 4] ?? 'pending',
    });
  }
});
afterAll(() => server.close());

const read = (order: StipendOrder | undefined, cursor?: string) =>
  admin.call(listStipends, { query: { week, order, cursor } });

async function readAll(order: StipendOrder | undefined) {
  const rows = [];
  let cursor: string | undefined;
  do {
    const page = await read(order, cursor);
    rows.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

const inWorkflow = ['pending', 'approved', 'paid', 'denied'];

test('each order gives every stipend of the week once, page by page', async () => {
  const usual = await readAll(undefined);
  expect(usual).toHaveLength(120);
  expect(await readAll('eligible')).toEqual(usual);
  const ids = new Set(usual.map(({ id }) => id));
  for (const order of stipendOrders) {
    const rows = await readAll(order);
    expect(rows, order).toHaveLength(120);
    expect(new Set(rows.map(({ id }) => id)), order).toEqual(ids);
  }
});

test('the orders are by name, by cohort, by amount and by status from pending to denied', async () => {
  const names = (await readAll('name')).map(({ participantName }) => participantName.toLowerCase());
  expect(names).toEqual(names.toSorted());
  const backwards = (await readAll('nameFromZ')).map(({ participantName }) => participantName.toLowerCase());
  expect(backwards).toEqual(names.toReversed());
  const cohorts = (await readAll('cohort')).map(({ cohortName }) => cohortName);
  expect([...new Set(cohorts)]).toEqual(['Alpha', 'beta', 'Gamma']);
  const amounts = (await readAll('largest')).map(({ amountCents }) => amountCents);
  expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
  expect((await readAll('smallest')).map(({ amountCents }) => amountCents)).toEqual(amounts.toReversed());
  const statuses = (await readAll('status')).map(({ paymentStatus }) => paymentStatus);
  expect([...new Set(statuses)]).toEqual(inWorkflow);
});

test('an order refuses the place of another one, and takes no statement more', async () => {
  const { nextCursor } = await read('name');
  for (const order of ['eligible', 'cohort', 'largest'] as const) {
    const query = { week, order, cursor: nextCursor ?? '' };
    expect((await admin.refused(listStipends, { query })).problem.code).toBe('invalid_input');
  }
  expect((await admin.refused(listStipends, { query: { week, order: 'no such' as never } })).status).toBe(422);
  const usual = await countStatements(server.app.pool, () => read(undefined));
  for (const order of stipendOrders)
    expect(await countStatements(server.app.pool, () => read(order)), order).toBe(usual);
});
