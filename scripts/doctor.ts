// Says what is wrong with this installation and what to do: npm run doctor [-- --json]. It changes nothing but the record
// of what it found. It exits with 0 if all is well, 1 after warnings and 2 after errors.
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Finding } from '#contract/operations.ts';
import { loadSecrets } from '#server/auth-secret.ts';
import { type Config, readConfig } from '#server/config.ts';
import { openDatabase, withConnection } from '#server/db/database.ts';
import { findPending } from '#server/db/migrate.ts';
import { readInspected } from '#server/features/operations/inspected.ts';
import { keepInspection } from '#server/features/operations/inspection-queries.ts';
import { looks, takeLooks } from '#server/features/operations/looks.ts';
import { verifyLedger } from '#server/features/payments/ledger.ts';
import { recordVerification } from '#server/features/payments/ledger-verification.ts';
import { findRunningDatabase, startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { findDatabaseFolder } from '#server/platform/embedded-database-location.ts';
import { openStorage } from '#server/platform/storage.ts';

type Said = Omit<Finding, 'code'> & { code: Finding['code'] | 'settings' };

const usage = 'Usage: npm run doctor [-- --json]';
const silent = { info: () => undefined, warn: (message: string) => void process.stderr.write(`${message}\n`) };

try {
  const isJson = readArguments();
  const findings = await examine();
  console.log(isJson ? JSON.stringify({ findings }, null, 2) : textOf(findings));
  process.exitCode = severityOf(findings);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

function readArguments(): boolean {
  try {
    return parseArgs({ options: { json: { type: 'boolean', default: false } } }).values.json;
  } catch (cause) {
    throw new Error(usage, { cause });
  }
}

async function examine(): Promise<Said[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    return [fault('settings', wordsOf(error).replace(/\s*\n\s*/g, ' '), 'Correct them in .env or in the environment.')];
  }
  if (config.databaseDirectUrl !== null) return examineDatabase(config, config.databaseDirectUrl);
  const running = await findRunningDatabase(config.dataDir);
  if (running !== null) return examineDatabase(config, running);
  if ((await findDatabaseFolder(path.resolve(config.dataDir))) === null) {
    return [
      fault('database-away', `There is no database in ${config.dataDir} yet.`, 'Start Switchyard once: npm start.'),
    ];
  }
  const started = await startEmbeddedDatabase({ dataDir: config.dataDir, log: silent });
  try {
    return await examineDatabase(config, started.connectionString);
  } finally {
    await started.stop();
  }
}

async function examineDatabase(config: Config, connectionString: string): Promise<Said[]> {
  try {
    const pending = await withConnection(connectionString, findPending);
    if (pending.length > 0) {
      return [
        fault(
          'database-schema',
          `The database lacks ${pending.join(', ')}.`,
          'Start this build once, or run npm run db:migrate.',
        ),
      ];
    }
  } catch (error) {
    return [
      fault(
        'database-away',
        `The database does not answer: ${wordsOf(error)}`,
        'Correct DATABASE_URL, or start the database.',
      ),
    ];
  }
  const { patientDb: db, close } = openDatabase(connectionString, { max: 2, namesStatements: config.namesStatements });
  try {
    await recordVerification(db, await verifyLedger(db));
    const parts = { config, db, secrets: await loadSecrets(config), storage: await openStorage(config) };
    const findings = await takeLooks(await readInspected(parts));
    const isCostly = ({ code }: Finding) => code in looks && looks[code as keyof typeof looks].isCostly === true;
    await keepInspection(db, findings.filter(isCostly));
    return findings;
  } finally {
    await close();
  }
}

function textOf(findings: Said[]): string {
  if (findings.length === 0) return 'Nothing is wrong.';
  return findings
    .map(({ severity, code, problem, remedy }) => `${severity}: ${problem} ${remedy} (${code})`)
    .join('\n');
}

function severityOf(findings: Said[]): number {
  if (findings.length === 0) return 0;
  return findings.some(({ severity }) => severity === 'error') ? 2 : 1;
}

function fault(code: Said['code'], problem: string, remedy: string): Said {
  return { code, severity: 'error', problem, remedy };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error);
}
