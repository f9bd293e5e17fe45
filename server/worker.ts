import { readConfig } from '#server/config.ts';
import { startProcess } from '#server/process.ts';

try {
  const config = readConfig();
  if (!config.databaseUrl)
    throw new Error('A separate worker needs DATABASE_URL: the embedded database belongs to one process.');
  const running = await startProcess(config, { web: false, jobs: true });
  console.log('Switchyard runs jobs.');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
