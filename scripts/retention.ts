// Says what is older than it is kept: npm run retention. It removes that with -- --apply, as a job does every night.
import { parseArgs } from 'node:util';
import { openDatabase } from '#server/db/database.ts';
import { retentionRules } from '#server/features/operations/retention-rules.ts';
import { findOverdue, removeOverdue } from '#server/platform/retention.ts';
import { besideInstance } from './with-database.ts';

const usage = 'Usage: npm run retention [-- --apply]';

try {
  const isApplied = readArguments();
  await besideInstance(async (address, { namesStatements, retainedDays }) => {
    const { patientDb: db, close } = openDatabase(address, { max: 1, namesStatements });
    try {
      const now = new Date();
      const overdue = await findOverdue(db, retentionRules, retainedDays, now);
      for (const { what, days, setting, rows, oldest } of overdue) {
        const kept = days === null ? 'kept for ever' : `kept for ${days} days`;
        const since = oldest ? `, the oldest of ${oldest.toISOString().slice(0, 10)}` : '';
        console.log(`${what}: ${kept} (${setting}), ${rows.toLocaleString('en-US')} overdue${since}`);
      }
      if (!isApplied) return console.log('Nothing was removed. -- --apply removes it.');
      const removed = Object.values(await removeOverdue(db, retentionRules, retainedDays, now));
      console.log(`${removed.reduce((sum, rows) => sum + rows, 0).toLocaleString('en-US')} rows were cleared.`);
    } finally {
      await close();
    }
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readArguments(): boolean {
  try {
    return parseArgs({ options: { apply: { type: 'boolean', default: false } } }).values.apply;
  } catch (cause) {
    throw new Error(usage, { cause });
  }
}
