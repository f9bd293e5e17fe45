import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '#contract/roles.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { readContract } from '#test/support/contract.ts';
import { connectBare } from './bare-statements.ts';
import { findRefusal } from './load.ts';
import { buildSeededWorld } from './seeded-world.ts';
import { findActs, findReads, requestOf, type TableCall } from './table-calls.ts';
import { buildTableWorld, type TableWorld } from './table-world.ts';

let app: TestApp;
let world: TableWorld;
beforeAll(async () => {
  app = await startTestApp();
  world = await buildTableWorld(app.db, 100);
});
afterAll(() => app.close());

test('every read of the contract is measured, or named with the reason why not', async () => {
  const { calls, left } = await findReads(world);
  const named = [...calls.map(({ endpoint }) => endpoint.name), ...left.map((line) => line.split(':')[0] ?? '')];
  const reads = (await readContract()).filter(({ method }) => method === 'GET');
  expect([...new Set(named)].toSorted()).toEqual(reads.map(({ name }) => name).toSorted());
  expect(left.filter((line) => !line.endsWith(': a stream or a file')).toSorted()).toEqual(
    ['listImportRows', 'readImport', 'readOpenedConversation', 'readPushedNotice', 'readResource', 'readTrack'].map(
      (name) => `${name}: no record of it is made`,
    ),
  );
});

test('the server takes what is measured: every read, and the acts again and again', async () => {
  const refused: string[] = [];
  const { calls } = await findReads(world);
  for (const call of calls) refused.push(...(await refusalsOf(call, 1)));
  for (const call of await findActs(world)) refused.push(...(await refusalsOf(call, 3)));
  expect(refused).toEqual([]);
});

test('a seeded program has what every read asks for too', async () => {
  const seeded = await startTestApp();
  try {
    const ofSeed = await buildSeededWorld(seeded.connectionString, seeded.app.storage, 100);
    const refused: string[] = [];
    for (const call of (await findReads(ofSeed)).calls) refused.push(...(await refusalsOf(call, 1, seeded, ofSeed)));
    expect(refused).toEqual([]);
  } finally {
    await seeded.close();
  }
});

test('the bare driver plans like the server', async () => {
  const settings = "select name, setting from pg_settings where source = 'session' order by name";
  const client = await connectBare(app.connectionString);
  const { rows } = await client.query(settings);
  expect(rows).toEqual((await app.app.pool.query(settings)).rows);
  expect(rows).toContainEqual({ name: 'random_page_cost', setting: '1.1' });
  await client.end();
});

test('wrong use is refused with a sentence', async () => {
  expect(await bench('--table', 'nowhere')).toBe('No endpoint is called nowhere.\n');
  expect(await bench('--table', '--people', '5')).toBe('People are whole numbers from 100.\n');
  expect(await bench('--table', '--seconds', 'many')).toBe('Seconds are a number above zero.\n');
  expect(await bench('nowhere')).toBe('No scenario is called nowhere.\n');
});

async function refusalsOf(call: TableCall, turns: number, server = app, of = world): Promise<string[]> {
  const people: Record<Role, { id: string } | undefined> = {
    participant: of.participants[0],
    coach: of.coach,
    admin: of.admin,
  };
  const { cookie } = await server.as(call.role ? (people[call.role] ?? null) : null);
  const refusals: string[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const refusal = await findRefusal(server.url, requestOf(call, 0, turn, cookie));
    if (refusal !== null) refusals.push(`${call.name}: ${refusal}`);
  }
  return refusals;
}

async function bench(...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, ['bench/run.ts', ...args])).stdout;
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}
