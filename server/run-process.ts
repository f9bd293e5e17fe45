import { type Config, readConfig } from '#server/config.ts';
import { type ProcessParts, type RunningProcess, startProcess } from '#server/process.ts';

const stopLimitInMs = 10_000;

/** Runs the whole life of a process: settings, start, and an end by signal, or for want of a database, in ten seconds. */
export async function runProcess(
  partsFor: (config: Config) => ProcessParts,
  greet: (running: RunningProcess, config: Config) => Promise<void> | void,
): Promise<void> {
  let config: Config | null = null;
  try {
    config = readConfig();
    const running = await startProcess(config, partsFor(config));
    stopInTime(running);
    await greet(running, config);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (config?.logLevel === 'debug') console.error(error);
    process.exit(1);
  }
}

function stopInTime(running: RunningProcess): void {
  let isStopping = false;
  function stop(cause: string, exitCode: number): void {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => {
      console.error(`Not everything had ended ${stopLimitInMs / 1000} seconds after ${cause}.`);
      process.exit(1);
    }, stopLimitInMs).unref();
    running.stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal, 0));
  void running.lost.then((error) => {
    console.error(error.message);
    stop('the end of its database', 1);
  });
}
