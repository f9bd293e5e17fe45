import { readConfig } from '../server/config.ts';
import { openDatabase } from '../server/db/database.ts';
import { verifyLedger } from '../server/features/payments/ledger.ts';
import { recordVerification } from '../server/features/payments/ledger-verification.ts';
import { startEmbeddedDatabase } from '../server/platform/embedded-database.ts';

const kept = keptHash(process.argv[2]);
const config = readConfig();
const embedded = config.databaseUrl ? null : await startEmbeddedDatabase({ dataDir: config.dataDir, log: console });
const { patientDb: db, close } = openDatabase(config.databaseDirectUrl ?? embedded?.connectionString ?? '', {
  max: 1,
  namesStatements: config.namesStatements,
});
try {
  const report = await verifyLedger(db, kept);
  const { lines, lastHash, problems, differences } = report;
  for (const problem of problems) console.error(problem);
  for (const difference of differences) console.log(difference);
  console.log(`${lines} lines, ${problems.length} problems, ${differences.length} paid otherwise than owed.`);
  console.log(`Keep this elsewhere: ${lines}:${lastHash}`);
  if (problems.length > 0) process.exitCode = 1;
  await recordVerification(db, report);
} finally {
  await close();
  await embedded?.stop();
}

/** `<line>:<hash>` from an earlier run proves that nobody has rewritten anything up to that line. */
function keptHash(given: string | undefined): { line: number; hash: string } | null {
  if (given === undefined) return null;
  const [, line, hash] = /^([1-9][0-9]*):([0-9a-f]{64})$/.exec(given) ?? [];
  if (!line || !hash) throw new Error('Expected <line>:<hash> of an earlier run, as 120:9f86d0…');
  return { line: Number(line), hash };
}
