import { argumentsOf, runCommand } from '#server/command.ts';
import { closeDemoAccounts } from '#server/features/accounts/registration/demo-closing.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { onDatabase } from './with-database.ts';

await runCommand(async () => {
  argumentsOf('Usage: npm run demo:close', {});
  await onDatabase(async (db) => {
    const closed = await inTransaction(db, closeDemoAccounts);
    console.log(`Demo accounts that were closed: ${closed}. Nobody can sign in to them any more.`);
    if (closed > 0)
      console.log('Make an admin of your own by npm run admin:create, or by the link that the next start prints.');
  });
});
