import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { z } from 'zod';
import { createAdminUser } from '#contract/documented-functions.ts';
import { argumentsOf, runCommand } from '#server/command.ts';
import { createAdmin } from '#server/features/accounts/registration/first-admin.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { onDatabase } from './with-database.ts';

const usage = `Usage: npm run admin:create -- --email <address> --first-name <name> --last-name <name>
The password, of 8 characters or more, is asked for, or taken from ADMIN_PASSWORD.`;

await runCommand(async () => {
  const admin = await readAdmin();
  await onDatabase(async (db) => {
    await inTransaction(db, (transaction) => createAdmin(transaction, null, admin));
  });
  console.log(`${admin.email} is an admin and can sign in now.`);
});

async function readAdmin() {
  const { values } = argumentsOf(usage, {
    options: {
      email: { type: 'string', default: '' },
      'first-name': { type: 'string', default: '' },
      'last-name': { type: 'string', default: '' },
    },
  });
  const { email, 'first-name': firstName, 'last-name': lastName } = values;
  if (!email || !firstName || !lastName) throw new Error(usage);
  const password = process.env.ADMIN_PASSWORD ?? (await askPassword());
  const { body } = createAdminUser;
  if (!body) throw new Error('The contract of createAdminUser has no body.');
  const { data, error } = body.safeParse({ email, firstName, lastName, password });
  if (error) throw new Error(z.prettifyError(error));
  return data;
}

/** Asks for the password without echoing it. */
async function askPassword(): Promise<string> {
  if (!stdin.isTTY) throw new Error(usage);
  stdout.write('Password: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asked = createInterface({ input: stdin, output: silent, terminal: true });
  const password = await asked.question('');
  asked.close();
  stdout.write('\n');
  return password;
}
