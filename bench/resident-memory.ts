import { readFileSync } from 'node:fs';

/** How much memory a process has now, in MB. */
export function residentMegabytes(pid: number): number {
  return megabytesOf(pid, 'VmRSS');
}

/** The part of it that is of files, such as the program itself. Processes share it, and the system can drop it. */
export function fileMegabytes(pid: number): number {
  return megabytesOf(pid, 'RssFile');
}

function megabytesOf(pid: number, name: string): number {
  const [, kilobytes] =
    new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (!kilobytes) throw new Error(`Process ${pid} has no memory.`);
  return Number(kilobytes) / 1000;
}

/** Looks every tenth of a second until it is stopped. Returns the most that it saw. */
export function watchMemory(pid: number): () => number {
  let most = residentMegabytes(pid);
  const timer = setInterval(() => {
    most = Math.max(most, residentMegabytes(pid));
  }, 100);
  return () => {
    clearInterval(timer);
    return Math.max(most, residentMegabytes(pid));
  };
}
