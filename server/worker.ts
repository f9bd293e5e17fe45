import { argumentsOrEnd } from '#server/command.ts';
import { runProcess } from '#server/run-process.ts';

argumentsOrEnd('Usage: npm run worker', {});
await runProcess(
  ({ databaseUrl }) => {
    if (databaseUrl) return { web: false, jobs: true };
    throw new Error('A separate worker needs DATABASE_URL: the embedded database belongs to one process.');
  },
  () => console.log('Switchyard runs jobs.'),
);
