import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { findContradiction, printContradiction } from './contradictions.ts';
import type { Act, Model } from './linearizability.ts';

export interface History<Call, State> {
  model: Model<Call, State>;
  acts: Act<Call>[];
}

/** A seed that a failure has printed can be given again as HISTORIES_SEED. */
export const drawSeed = () => Number(process.env.HISTORIES_SEED ?? randomInt(2 ** 31));

/** Fails with the shortest contradiction. Returns what the history was, in one line. */
export function expectExplained<Call extends { act: string }, State>(
  { model, acts }: History<Call, State>,
  seed: number,
): string {
  const startedAt = performance.now();
  const found = findContradiction(model, acts);
  expect(found && printContradiction(model, found), `HISTORIES_SEED=${seed}`).toBeNull();
  const took = performance.now() - startedAt;
  const cut = acts.filter(({ answer }) => answer === null).length;
  const names = [...new Set(acts.map(({ call }) => call.act))].toSorted();
  const counts = names.map((name) => `${name} ${acts.filter(({ call }) => call.act === name).length}`);
  return `${acts.length} acts, ${cut} of them cut, judged in ${took.toFixed(0)} ms: ${counts.join(', ')}`;
}

/** Random acts that were all refused would prove nothing. */
export function expectTaken<Call extends { act: string }>(acts: Act<Call>[], names: Call['act'][]): void {
  const refusals = ['stale', 'conflict', 'forbidden', 'not_found', 'slot_taken'];
  const taken = acts.filter(({ answer }) => answer !== null && !refusals.includes(answer));
  expect(names.filter((name) => !taken.some(({ call }) => call.act === name))).toEqual([]);
}
