// Makes new keys towards push services: npm run push:renew.
import { loadSecrets } from '#server/auth-secret.ts';
import { argumentsOf, runCommand } from '#server/command.ts';
import { renewPushKeys } from '#server/features/deliveries/push-keys.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { onDatabase } from './with-database.ts';

await runCommand(async () => {
  argumentsOf('Usage: npm run push:renew', {});
  await onDatabase(async (db, config) => {
    const secrets = await loadSecrets(config);
    const kept = await inTransaction(db, (transaction) => renewPushKeys(transaction, secrets));
    console.log('Browsers that subscribe from now on get new keys.');
    console.log(`Browsers that keep the former ones until they subscribe again: ${kept}.`);
  });
});
