import { once } from 'node:events';
import type { TestApp } from '../app.ts';
import { startServerProcess } from '../server-process.ts';

export type TwoProcesses = Awaited<ReturnType<typeof startTwoProcesses>>;

/** Starts two processes of the product on one database. One of them at a time can be killed, and starts anew. */
export async function startTwoProcesses(server: TestApp, env: Record<string, string>) {
  const start = () =>
    startServerProcess(server, { REQUIRE_ADMIN_SECOND_FACTOR: '0', RATE_LIMIT_FACTOR: '1000', ...env });
  const running: (Awaited<ReturnType<typeof start>> | null)[] = await Promise.all([start(), start()]);
  let starting: Promise<void> = Promise.resolve();
  return {
    /** The process at this place, or the other one while it is down. */
    up: (wanted: number): { url: string; place: number } => {
      const place = running[wanted] ? wanted : 1 - wanted;
      const [url] = running[place] ?? [];
      if (!url) throw new Error('Both processes are down.');
      return { url, place };
    },
    /** Resolves when both are up. */
    whole: () => starting,
    /** Ends a process as kill -9 does. It starts anew meanwhile. */
    kill: (place: number): void => {
      const [, child] = running[place] ?? [];
      if (!child) throw new Error('This process is down already.');
      running[place] = null;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      starting = gone.then(start).then((started) => {
        running[place] = started;
      });
    },
  };
}
