// Measures: npm run bench -- [SCENARIO…]
// Compares what two commits cost: npm run bench -- --against REF [--turns 8] [--rounds 10] [SCENARIO…]
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureAgainst } from './against.ts';
import { reportBesideBaseline } from './beside-baseline.ts';
import type { Scenario } from './scenario.ts';
import { chooseScenarios } from './scenario-files.ts';

const { values: asked, positionals: names } = parseArgs({
  options: {
    against: { type: 'string' },
    turns: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '10' },
  },
  allowPositionals: true,
});
const refusal = asked.against === undefined ? await measure() : await compare(asked.against);
if (refusal !== null) {
  console.error(refusal);
  process.exitCode = 1;
}

async function measure(): Promise<string | null> {
  const { files, unknown } = chooseScenarios(import.meta.dirname, names);
  if (unknown.length > 0) return `No scenario is called ${unknown.join(' or ')}.`;
  for (const file of files) {
    const { scenario } = (await import(path.join(import.meta.dirname, file))) as { scenario: Scenario };
    await reportBesideBaseline(scenario);
  }
  return null;
}

/** An interrupted run removes what it made too. */
async function compare(ref: string): Promise<string | null> {
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
    if (interruption.signal.aborted) return 'The run was interrupted.';
    throw error;
  }
}
