import { afterAll, beforeAll, expect, test } from 'vitest';
import { listStipends, type StipendOrder, stipendOrders } from '#contract/stipends.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { badlyRated, buildStipend } from '#test/factories/stipends.ts';
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
      ...(index % 8 === 1 ? badlyRated : {}),
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

test('the usual order has eligible stipends first, and of those the newest', async () => {
  const rows = await readAll(undefined);
  const made = await server.db
    .selectFrom('stipendEligibility')
    .select(['id', 'overallEligible', 'createdAt'])
    .execute();
  const newestFirst = made.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const inOrder = [true, false].flatMap((isEligible) =>
    newestFirst.filter(({ overallEligible }) => overallEligible === isEligible),
  );
  expect(inOrder.at(-1)?.overallEligible).toBe(false);
  expect(rows.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
});

test('the orders are by name, by cohort, by amount and by status from pending to denied', async () => {
  const nameOf = ({ participantName }: { participantName: string }) => participantName.toLowerCase();
  const names = (await readAll('name')).map(nameOf);
  expect(names).toEqual(names.toSorted());
  expect((await readAll('nameFromZ')).map(nameOf)).toEqual(names.toReversed());
  const ofCohorts = Map.groupBy(await readAll('cohort'), ({ cohortName }) => cohortName);
  expect([...ofCohorts.keys()]).toEqual(['Alpha', 'beta', 'Gamma']);
  const amounts = (await readAll('largest')).map(({ amountCents }) => amountCents);
  expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
  expect((await readAll('smallest')).map(({ amountCents }) => amountCents)).toEqual(amounts.toReversed());
  const ofStatuses = Map.groupBy(await readAll('status'), ({ paymentStatus }) => paymentStatus);
  expect([...ofStatuses.keys()]).toEqual(inWorkflow);
  for (const rows of [...ofCohorts.values(), ...ofStatuses.values()]) {
    expect(rows.map(nameOf)).toEqual(rows.map(nameOf).toSorted());
  }
});

test('an order refuses the place of any other, and takes no statement more', async () => {
  for (const order of stipendOrders) {
    const { nextCursor } = await read(order);
    for (const other of stipendOrders.filter((name) => name !== order)) {
      const query = { week, order: other, cursor: nextCursor ?? '' };
      expect((await admin.refused(listStipends, { query })).problem.code, `${order} ${other}`).toBe('invalid_input');
    }
  }
  expect((await admin.refused(listStipends, { query: { week, order: 'no such' as never } })).status).toBe(422);
  // A page of which nothing was handed over or paid takes one less.
  const usual = await countStatements(server.app.pool, () => read(undefined));
  for (const order of stipendOrders)
    expect(await countStatements(server.app.pool, () => read(order)), order).toBeLessThanOrEqual(usual);
});
