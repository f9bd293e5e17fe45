// What the product costs. The usage below says what it measures.
import path from 'node:path';
import { argumentsOf, runCommand } from '#server/command.ts';
import { readContract } from '../test/support/contract.ts';
import { measureAgainst } from './against.ts';
import { orRefusal } from './asked.ts';
import { reportBesideBaseline } from './beside-baseline.ts';
import { measurements } from './measurements.ts';
import type { Scenario } from './scenario.ts';
import { chooseScenarios } from './scenario-files.ts';
import { reportTable } from './table.ts';

const usage = `Usage: npm run bench                    what each endpoint costs, and every scenario
       npm run bench -- SCENARIO …      these alone
       npm run bench -- --table [--people 100,1000,10000] [--seconds 1] [--heavy|--seeded] [ENDPOINT …]
       npm run bench -- --against REF [--turns 8] [--rounds 10] [SCENARIO …]
       npm run bench -- ${Object.keys(measurements).join('|')}, each with its usage in its file`;

interface TableAsked {
  people: string;
  seconds: string;
  heavy: boolean;
  seeded: boolean;
}

await runCommand(async () => {
  const [name = '', ...rest] = process.argv.slice(2);
  const chosen = Object.hasOwn(measurements, name) ? measurements[name] : undefined;
  const refusal = await orRefusal(async () => (chosen ? (await chosen())(rest) : measureOrCompare()));
  if (refusal !== null) throw new Error(refusal);
}, 2);

function measureOrCompare(): Promise<string | null> {
  const { values, positionals: names } = argumentsOf(usage, {
    options: {
      against: { type: 'string' },
      turns: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '10' },
      table: { type: 'boolean', default: false },
      people: { type: 'string', default: '100,1000,10000' },
      seconds: { type: 'string', default: '1' },
      heavy: { type: 'boolean', default: false },
      seeded: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  return values.against === undefined ? measure(values, names) : compare(values.against, values, names);
}

async function measure(asked: TableAsked & { table: boolean }, names: string[]): Promise<string | null> {
  const hasTable = asked.table || names.length === 0;
  const refusal = hasTable ? await measureTable(asked, asked.table ? names : []) : null;
  if (refusal !== null || asked.table) return refusal;
  const { files, unknown } = chooseScenarios(import.meta.dirname, names);
  if (unknown.length > 0) return `No scenario is called ${unknown.join(' or ')}.`;
  for (const file of files) {
    const { scenario } = (await import(path.join(import.meta.dirname, file))) as { scenario: Scenario };
    await reportBesideBaseline(scenario);
  }
  return null;
}

async function measureTable(asked: TableAsked, only: string[]): Promise<string | null> {
  const sizes = asked.people.split(',').map(Number);
  const seconds = Number(asked.seconds);
  if (!sizes.every((size) => Number.isInteger(size) && size >= 100)) return 'People are whole numbers from 100.';
  if (!(seconds > 0)) return 'Seconds are a number above zero.';
  const known = (await readContract()).map(({ name }) => name);
  const unknown = only.filter((part) => !known.some((name) => name.includes(part)));
  if (unknown.length > 0) return `No endpoint is called ${unknown.join(' or ')}.`;
  await reportTable({ sizes, seconds, isHeavy: asked.heavy, isSeeded: asked.seeded, only });
  return null;
}

/** An interrupted run removes what it made too. */
async function compare(ref: string, asked: { turns: string; rounds: string }, names: string[]): Promise<string | null> {
  const [turns, rounds] = [Number(asked.turns), Number(asked.rounds)];
  if (![turns, rounds].every((count) => Number.isInteger(count) && count > 0)) {
    return 'Turns and rounds are whole numbers above zero.';
  }
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
  const root = path.join(import.meta.dirname, '..');
  try {
    return await measureAgainst({ root, ref, names, turns, rounds, print: console.log, signal: interruption.signal });
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    console.error('The run was interrupted.');
    process.exitCode = 1;
    return null;
  }
}
