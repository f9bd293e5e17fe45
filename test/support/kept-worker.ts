import type { Plugin } from 'vitest/config';
import { type PoolOptions, type PoolWorker, ThreadsPoolWorker, type WorkerRequest } from 'vitest/node';

const name = 'kept';

interface Kept {
  thread: ThreadsPoolWorker;
  runs: number;
  /** It is in the middle of tests, or has crashed. */
  isUnfit: boolean;
}

let kept: Kept | undefined;

/**
 * A thread that goes on from run to run, because loading the server and warming it up takes longer than most tests.
 * A run gets a new one if it changes what is loaded once, or if the run before left anything open. Whatever leaks without
 * a trace, no more than `mostRuns` runs share it.
 */
export const keepsWorker = (mostRuns: number): Plugin => ({
  name: 'keeps-worker',
  configureVitest: ({ project, vitest }) => {
    const createPoolWorker = (options: PoolOptions) => workerOf(options, mostRuns);
    Object.assign(project.config, { pool: name, poolRunner: { name, createPoolWorker } });
    vitest.onClose(async () => kept && end(kept));
  },
});

function workerOf(options: PoolOptions, mostRuns: number): PoolWorker {
  const listeners: [event: string, callback: (...values: unknown[]) => void][] = [];
  let current: Kept | undefined;
  let isStarted = false;
  const tell = (type: string) => {
    for (const [event, callback] of listeners) {
      if (event === 'message') callback({ __vitest_worker_response__: true, type });
    }
  };
  const thread = () => {
    if (!current) throw new Error('The worker is not started.');
    return current.thread;
  };
  return {
    name,
    start: async () => {
      if (kept && (kept.runs >= mostRuns || kept.isUnfit || !mayShare(options))) await end(kept);
      isStarted = kept !== undefined;
      current = kept ??= await open(options);
    },
    stop: async () => {
      for (const [event, callback] of listeners) thread().off(event, callback);
      if (current && (current.isUnfit || !mayShare(options) || leftSomethingOpen(options))) await end(current);
    },
    send: (message: WorkerRequest) => {
      if (message.type === 'start' && isStarted) queueMicrotask(() => tell('started'));
      else if (message.type === 'stop') queueMicrotask(() => tell('stopped'));
      else {
        if (message.type === 'run' && current) Object.assign(current, { runs: current.runs + 1, isUnfit: true });
        // Otherwise it would go by the settings, such as which tests to run, that it was started with.
        if (message.type === 'run') Object.assign(message.context, { config: options.project.serializedConfig });
        thread().send(message);
      }
    },
    on: (event, callback) => {
      listeners.push([event, callback]);
      thread().on(event, callback);
    },
    off: (event, callback) => thread().off(event, callback),
    deserialize: (data) => data,
  };
}

/** What is read as a module is loaded cannot change in a thread that has loaded it. Neither may a rehearsal's counts go on. */
function mayShare({ project }: PoolOptions): boolean {
  const { mode, mutantActivation } = project.getProvidedContext() as { mode?: string; mutantActivation?: string };
  return mode === 'mutant' && mutantActivation === 'runtime';
}

function leftSomethingOpen({ project }: PoolOptions): boolean {
  return project.vitest.state.getFiles().some(({ meta }) => meta.leftOpen !== false);
}

async function open(options: PoolOptions): Promise<Kept> {
  const opened: Kept = { thread: new ThreadsPoolWorker(options), runs: 0, isUnfit: false };
  await opened.thread.start();
  opened.thread.on('error', () => {
    opened.isUnfit = true;
  });
  opened.thread.on('message', (message: { type?: string }) => {
    if (message.type === 'testfileFinished') opened.isUnfit = false;
  });
  return opened;
}

async function end(worker: Kept): Promise<void> {
  if (kept === worker) kept = undefined;
  await worker.thread.stop();
}
