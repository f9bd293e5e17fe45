import { argumentsOf, runCommand } from '#server/command.ts';
import { readConfig } from '#server/config.ts';
import { migrate } from '#server/db/migrate.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';

await runCommand(async () => {
  argumentsOf('Usage: npm run db:migrate', {});
  const config = readConfig();
  const embedded = config.databaseUrl ? null : await startEmbeddedDatabase({ dataDir: config.dataDir, log: console });
  try {
    const applied = await migrate(config.databaseDirectUrl ?? embedded?.connectionString ?? '');
    console.log(applied.length > 0 ? `Migrated: ${applied.join(', ')}` : 'Nothing to migrate.');
  } finally {
    await embedded?.stop();
  }
});
