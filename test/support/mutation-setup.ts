import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, inject, type TaskMeta } from 'vitest';

// Around each test file that judges changes of the code. vitest.mutation.config.ts keeps the thread that it runs in.

type Hits = Record<string, number>;
type Task = { name: string; tasks?: Task[] };

/** What Stryker keeps for itself in the thread. */
interface Stryker {
  activeMutant?: string;
  hitLimit?: number;
  currentTestId?: string;
  mutantCoverage?: { perTest: Record<string, Hits> };
}

declare module 'vitest' {
  export interface ProvidedContext {
    globalNamespace: '__stryker__';
    mode: 'dry-run' | 'mutant';
    mutantActivation: 'static' | 'runtime';
    testNameSeparator: string;
  }
  interface TaskMeta {
    /** Whether the file has left a connection, a server or a process behind. */
    leftOpen?: boolean;
  }
}

const isRehearsal = inject('mode') === 'dry-run';
const stryker: Stryker = Reflect.get(globalThis, inject('globalNamespace'));
// The change of the run before must not slip into what this file is the first to load.
if (!isRehearsal && inject('mutantActivation') === 'runtime') delete stryker.activeMutant;

// It calls a loop endless after 100 times as many rounds as usual. If each asks the database, that takes minutes.
if (stryker.hitLimit) stryker.hitLimit /= 10;

const outsideOfTests = 'outside of tests';
let areHooksRunning = false;

// Stryker takes what a hook reaches for what is loaded once, and would run all tests with a new thread for it.
if (isRehearsal) {
  let test: string | undefined;
  Object.defineProperty(stryker, 'currentTestId', {
    configurable: true,
    get: () => test ?? (areHooksRunning ? outsideOfTests : undefined),
    set: (id: string | undefined) => {
      test = id;
    },
  });
}

beforeAll(() => {
  areHooksRunning = true;
});

// biome-ignore lint/correctness/noEmptyPattern: Vitest refuses another first parameter.
afterAll(async ({}, suite) => {
  areHooksRunning = false;
  if (isRehearsal) countForEachTest(namesOf(suite.tasks).map((name) => `${suite.file.filepath}#${name}`));
  else await noteWhatIsOpen(suite.meta);
});

/** What a hook reaches, each test of its file may notice. */
function countForEachTest(ids: string[]): void {
  const perTest = stryker.mutantCoverage?.perTest ?? {};
  for (const id of ids) {
    const own = perTest[id] ?? {};
    for (const [mutant, hits] of Object.entries(perTest[outsideOfTests] ?? {})) own[mutant] = (own[mutant] ?? 0) + hits;
    perTest[id] = own;
  }
  delete perTest[outsideOfTests];
}

function namesOf(tasks: Task[]): string[] {
  const separator = inject('testNameSeparator');
  return tasks.flatMap(({ name, tasks }) =>
    tasks ? namesOf(tasks).map((inner) => `${name}${separator}${inner}`) : [name.trim()],
  );
}

/** A connection takes a moment to close. */
async function noteWhatIsOpen(meta: TaskMeta): Promise<void> {
  for (let look = 0; look < 40; look += 1) {
    meta.leftOpen = process.getActiveResourcesInfo().some((kind) => /^(TCP|Pipe|Process)/.test(kind));
    if (!meta.leftOpen) return;
    await delay(look * 2);
  }
}
