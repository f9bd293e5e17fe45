import { setTimeout as pause } from 'node:timers/promises';
import { lines } from './lines.ts';
import type { Kept, World } from './world.ts';

export interface Load {
  record: Kept;
  /** Lets what is on its way end. */
  stop(): Promise<void>;
}

export type LineName = keyof typeof lines;

/** The work of every drill. */
export const usualLines: LineName[] = ['note', 'message', 'message', 'stipend', 'stipend', 'read'];
/** The work of every fault: more kinds, so that each kind is under way at a random moment. */
export const allLines: LineName[] = [...usualLines, 'file', 'file', 'people', 'handover'];

/** Writes and reads until it is stopped, one after the other in each line. */
export function startLoad(world: World, names: LineName[]): Load {
  const record: Kept = {
    notes: [],
    messages: [],
    approved: [],
    paid: [],
    files: [],
    imported: [],
    handedOver: [],
    reads: 0,
    failures: [],
    longestSilence: 0,
  };
  let isStopped = false;
  let lastAnswer = performance.now();
  let turn = 0;
  const answered = () => {
    const now = performance.now();
    record.longestSilence = Math.max(record.longestSilence, now - lastAnswer);
    lastAnswer = now;
  };
  async function attempt(what: string, act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      answered();
      return true;
    } catch (error) {
      record.failures.push({ at: performance.now(), what, why: wordsOf(error) });
      await pause(100);
      return false;
    }
  }
  const shared = {
    world,
    record,
    attempt,
    stipends: world.stipends.values(),
    cohorts: world.cohorts.values(),
    goesOn: () => !isStopped,
    anybody: () => {
      turn += 1;
      return world.participants[turn % world.participants.length] as World['participants'][number];
    },
  };
  const run = async (name: LineName) => {
    const act = lines[name](shared);
    while (!isStopped) await act();
  };
  const running = names.map(run);
  return {
    record,
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
      answered();
    },
  };
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
