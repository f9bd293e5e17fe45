// One of two sides that bench/against.ts measures in turns. It runs in the checkout of its commit and imports nothing of
// it but one scenario.
import path from 'node:path';
import type { Scenario } from './scenario.ts';

export type Asked = { run: number; rounds: number } | { prepare: string };
export type Answered =
  | { cases: string[]; rounds: number }
  | { wallInMs: number[]; processorInMs: number }
  | { fault: string };

let runs: (() => Promise<unknown>)[] = [];

process.on('message', (asked: Asked) => {
  const answer = 'prepare' in asked ? prepare(asked.prepare) : measure(asked.run, asked.rounds);
  answer.then(tell, (error: Error) => tell({ fault: error.message }));
});
process.once('disconnect', () => process.exit());
// An interruption from a terminal reaches both sides too. They end when they are told to.
process.on('SIGINT', () => undefined);

async function prepare(file: string): Promise<Answered> {
  const { scenario } = (await import(path.resolve(file))) as { scenario: Scenario };
  const { cases } = await scenario.prepare();
  const atOnce = Array.from({ length: scenario.atOnce ?? 1 });
  runs = cases.map(
    ({ runMeasured }) =>
      () =>
        Promise.all(atOnce.map(() => runMeasured())),
  );
  // A case that cannot run on this commit says so now.
  for (const run of runs) await run();
  return { cases: cases.map(({ name }) => name), rounds: scenario.rounds };
}

async function measure(index: number, rounds: number): Promise<Answered> {
  const run = runs[index];
  if (!run) throw new Error(`There is no case ${index}.`);
  const wallInMs: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await run();
    wallInMs.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  return { wallInMs, processorInMs: (user + system) / 1000 };
}

function tell(answer: Answered): void {
  process.send?.(answer);
}
