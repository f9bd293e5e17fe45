// Makes new keys towards push services: npm run push:renew.
import { loadSecrets } from '#server/auth-secret.ts';
import { openDatabase } from '#server/db/database.ts';
import { renewPushKeys } from '#server/features/deliveries/push-keys.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { besideInstance } from './with-database.ts';

try {
  if (process.argv.length > 2) throw new Error('Usage: npm run push:renew');
  await besideInstance(async (address, config) => {
    const { db, close } = openDatabase(address, { max: 1, namesStatements: config.namesStatements });
    try {
      const secrets = await loadSecrets(config);
      const kept = await inTransaction(db, (transaction) => renewPushKeys(transaction, secrets));
      console.log('Browsers that subscribe from now on get new keys.');
      console.log(`Browsers that keep the former ones until they subscribe again: ${kept}.`);
    } finally {
      await close();
    }
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
