import { closeDemoAccounts } from '#server/features/accounts/registration/demo-closing.ts';
import { isEmbeddedDatabaseInUse } from '#server/platform/embedded-database-processes.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { withDatabase } from './with-database.ts';

try {
  await withDatabase(async (db) => {
    const closed = await inTransaction(db, closeDemoAccounts);
    console.log(`Demo accounts that were closed: ${closed}. Nobody can sign in to them any more.`);
    if (closed > 0)
      console.log('Make an admin of your own by npm run admin:create, or by the link that the next start prints.');
  });
} catch (error) {
  if (!isEmbeddedDatabaseInUse(error)) throw error;
  console.error('The server is running on this database. Stop it first.');
  process.exitCode = 1;
}
