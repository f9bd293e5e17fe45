import { globSync } from 'node:fs';
import path from 'node:path';
import type { Scenario } from './scenario.ts';

const warmUpRounds = 5;

const only = process.argv[2];
const files = globSync('*.bench.ts', { cwd: import.meta.dirname }).toSorted();
let ran = 0;
for (const file of files) {
  const { scenario } = (await import(path.join(import.meta.dirname, file))) as { scenario: Scenario };
  if (only && !file.includes(only)) continue;
  await report(scenario);
  ran += 1;
}
if (ran === 0) {
  console.error(`No scenario is called ${only}.`);
  process.exitCode = 1;
}

async function report(scenario: Scenario): Promise<void> {
  const { runMeasured, runBaseline, close } = await scenario.prepare();
  try {
    const measured: number[] = [];
    const baseline: number[] = [];
    for (let round = -warmUpRounds; round < scenario.rounds; round += 1) {
      const times = [await timed(runMeasured), await timed(runBaseline)] as const;
      if (round < 0) continue;
      measured.push(times[0]);
      baseline.push(times[1]);
    }
    const ratio = median(measured) / median(baseline);
    console.log(`${scenario.name}: ${ratio.toFixed(2)} times`);
    console.log(`  ${scenario.measured}: ${median(measured).toFixed(2)} ms, median of ${scenario.rounds}`);
    console.log(`  ${scenario.baseline}: ${median(baseline).toFixed(2)} ms`);
  } finally {
    await close();
  }
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
