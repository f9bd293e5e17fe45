import { median, quantile } from './figures.ts';
import type { ComparedCase, Scenario } from './scenario.ts';

const warmUpRounds = 5;

export async function reportBesideBaseline(scenario: Scenario): Promise<void> {
  const prepared = await scenario.prepare();
  try {
    for (const compared of prepared.cases) {
      if (scenario.atOnce) await reportThroughput(scenario, scenario.atOnce, compared);
      else await reportTime(scenario, compared);
    }
  } finally {
    await prepared.close();
  }
}

/** Each round keeps `atOnce` calls running, five times each. The measured side and the baseline take turns. */
async function reportThroughput(
  scenario: Scenario,
  atOnce: number,
  { name, runMeasured, runBaseline }: ComparedCase,
): Promise<void> {
  const repeats = 5;
  const perSecond = async (run: () => Promise<void>) => {
    const line = async () => {
      for (let repeat = 0; repeat < repeats; repeat += 1) await run();
    };
    const time = await timed(() => Promise.all(Array.from({ length: atOnce }, line)).then(() => undefined));
    return (atOnce * repeats * 1000) / time;
  };
  const measured: number[] = [];
  const baseline: number[] = [];
  for (let round = -1; round < scenario.rounds; round += 1) {
    const rates = [await perSecond(runMeasured), await perSecond(runBaseline)] as const;
    if (round < 0) continue;
    measured.push(rates[0]);
    baseline.push(rates[1]);
  }
  console.log(`${name}: ${(median(measured) / median(baseline)).toFixed(2)} of the throughput, ${atOnce} at once`);
  console.log(`  ${scenario.measured}: ${median(measured).toFixed(1)} a second, median of ${scenario.rounds} rounds`);
  console.log(`  ${scenario.baseline}: ${median(baseline).toFixed(1)} a second`);
}

async function reportTime(scenario: Scenario, { name, runMeasured, runBaseline, clear }: ComparedCase): Promise<void> {
  const timedAfterClearing = async (run: () => Promise<void>) => {
    await clear?.();
    return timed(run);
  };
  const measured: number[] = [];
  const baseline: number[] = [];
  for (let round = -warmUpRounds; round < scenario.rounds; round += 1) {
    const times = [await timedAfterClearing(runMeasured), await timedAfterClearing(runBaseline)] as const;
    if (round < 0) continue;
    measured.push(times[0]);
    baseline.push(times[1]);
  }
  const ratio = median(measured) / median(baseline);
  console.log(`${name}: ${ratio.toFixed(2)} times`);
  console.log(`  ${scenario.measured}: ${spread(measured)} of ${scenario.rounds}`);
  console.log(`  ${scenario.baseline}: ${spread(baseline)}`);
}

async function timed(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function spread(times: number[]): string {
  return `p50 ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`;
}
