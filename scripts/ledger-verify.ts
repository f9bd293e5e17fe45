import { readConfig } from '../server/config.ts';
import { openDatabase } from '../server/db/database.ts';
import { verifyLedger } from '../server/features/stipends/stipend-ledger.ts';
import { startEmbeddedDatabase } from '../server/platform/embedded-database.ts';

const config = readConfig();
const embedded = config.databaseUrl ? null : await startEmbeddedDatabase({ dataDir: config.dataDir, log: console });
const { db, close } = openDatabase(config.databaseUrl ?? embedded?.connectionString ?? '', { max: 1 });
try {
  const { lines, lastHash, problems } = await verifyLedger(db);
  for (const problem of problems) console.error(problem);
  console.log(`${lines} lines, ${problems.length} problems. The last hash is ${lastHash}.`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await close();
  await embedded?.stop();
}
