import { argumentsOf, runCommand } from '#server/command.ts';
import { verifyLedger } from '#server/features/payments/ledger.ts';
import { recordVerification } from '#server/features/payments/ledger-verification.ts';
import { onDatabase } from './with-database.ts';

const usage = 'Usage: npm run ledger:verify [-- <line>:<hash>]';

await runCommand(async () => {
  const kept = readArguments();
  await onDatabase(async (db) => {
    const report = await verifyLedger(db, kept);
    const { lines, lastHash, problems, differences } = report;
    for (const problem of problems) console.error(problem);
    for (const difference of differences) console.log(difference);
    console.log(`${lines} lines, ${problems.length} problems, ${differences.length} paid otherwise than owed.`);
    console.log(`Keep this elsewhere: ${lines}:${lastHash}`);
    if (problems.length > 0) process.exitCode = 1;
    await recordVerification(db, report);
  });
});

/** `<line>:<hash>` from an earlier run proves that nobody has rewritten anything up to that line. */
function readArguments(): { line: number; hash: string } | null {
  const { positionals } = argumentsOf(usage, { allowPositionals: true });
  const [given, ...others] = positionals;
  if (others.length > 0) throw new Error(usage);
  if (given === undefined) return null;
  const [, line, hash] = /^([1-9][0-9]*):([0-9a-f]{64})$/.exec(given) ?? [];
  if (!line || !hash) throw new Error('Expected <line>:<hash> of an earlier run, as 120:9f86d0…');
  return { line: Number(line), hash };
}
