// Says what is older than it is kept: npm run retention. It removes that with -- --apply, as a job does every night.
import { argumentsOf, runCommand } from '#server/command.ts';
import { retentionRules } from '#server/features/operations/retention-rules.ts';
import { findOverdue, removeOverdue } from '#server/platform/retention.ts';
import { onDatabase } from './with-database.ts';

await runCommand(async () => {
  const { values } = argumentsOf('Usage: npm run retention [-- --apply]', { options: { apply: { type: 'boolean' } } });
  await onDatabase(async (db, { retainedDays }) => {
    const now = new Date();
    const overdue = await findOverdue(db, retentionRules, retainedDays, now);
    for (const { what, days, setting, rows, oldest } of overdue) {
      const kept = days === null ? 'kept for ever' : `kept for ${days} days`;
      const since = oldest ? `, the oldest of ${oldest.toISOString().slice(0, 10)}` : '';
      console.log(`${what}: ${kept} (${setting}), ${rows.toLocaleString('en-US')} overdue${since}`);
    }
    if (!values.apply) return console.log('Nothing was removed. -- --apply removes it.');
    const removed = Object.values(await removeOverdue(db, retentionRules, retainedDays, now));
    console.log(`${removed.reduce((sum, rows) => sum + rows, 0).toLocaleString('en-US')} rows were cleared.`);
  });
});
