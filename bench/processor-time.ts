import { readdirSync, readFileSync } from 'node:fs';

/** What Linux counts as one tick in /proc, whatever the kernel's own clock. */
const ticksASecond = 100;

/**
 * The processor time of a PostgreSQL server, in milliseconds: of its processes that run, and of those that ended. It
 * stays right on a busy machine, where a clock on the wall does not.
 */
export function databaseTimeInMs(postmaster: number): number {
  // In this order, a process that ends in between is missed for the moment instead of being counted twice.
  const ended = fieldsOf(postmaster)?.endedChildrenInTicks ?? 0;
  const running = [postmaster, ...childrenOf(postmaster)].map(runTimeInMs);
  return (ended * 1000) / ticksASecond + running.reduce((sum, time) => sum + time, 0);
}

/** The processor time of all threads of a process that run. */
export function processTimeInMs(pid: number): number {
  const threads = readFolder(`/proc/${pid}/task`);
  return threads.map((thread) => scheduledInMs(`/proc/${pid}/task/${thread}`)).reduce((sum, time) => sum + time, 0);
}

export function parentOf(pid: number): number {
  const fields = fieldsOf(pid);
  if (!fields) throw new Error(`There is no process ${pid}.`);
  return fields.parent;
}

function childrenOf(pid: number): number[] {
  return readFolder('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => fieldsOf(other)?.parent === pid);
}

function runTimeInMs(pid: number): number {
  return scheduledInMs(`/proc/${pid}`);
}

/** The kernel writes nanoseconds here. */
function scheduledInMs(folder: string): number {
  const [nanoseconds = '0'] = (readUnlessGone(`${folder}/schedstat`) ?? '').split(' ');
  return Number(nanoseconds || 0) / 1e6;
}

function fieldsOf(pid: number) {
  const stat = readUnlessGone(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // A program's name stands in parentheses and may hold spaces. The state is the first field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), endedChildrenInTicks: Number(fields[13]) + Number(fields[14]) };
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function readUnlessGone(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
}
