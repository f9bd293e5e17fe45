import { readConfig } from '#server/config.ts';
import { fillDemoOnFirstStart } from '#server/db/demo/demo.ts';
import { type RunningProcess, startProcess } from '#server/process.ts';

export type HostRequest = { id: number } & ({ start: Record<string, string> } | { stop: string });
export type HostAnswer = { id: number; url: string } | { id: number; error: string };

const running = new Map<string, RunningProcess>();

process.on('message', (request: HostRequest) => {
  answer(request).then(
    (url) => reply({ id: request.id, url }),
    (error: unknown) => reply({ id: request.id, error: error instanceof Error ? (error.stack ?? '') : String(error) }),
  );
});
// The worker has ended, for whatever reason.
process.once('disconnect', () => process.exit());

async function answer(request: HostRequest): Promise<string> {
  if ('stop' in request) {
    await running.get(request.stop)?.stop();
    running.delete(request.stop);
    return request.stop;
  }
  const started = await startProcess(readConfig(request.start), {
    web: true,
    jobs: true,
    prepare: fillDemoOnFirstStart,
  });
  const url = started.url ?? '';
  running.set(url, started);
  return url;
}

function reply(message: HostAnswer): void {
  process.send?.(message);
}
