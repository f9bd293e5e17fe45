import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createAdminUser } from '#contract/documented-functions.ts';
import { createAdmin } from '#server/features/accounts/registration/first-admin.ts';
import { isEmbeddedDatabaseInUse } from '#server/platform/embedded-database-processes.ts';
import { AppError } from '#server/platform/errors.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { withDatabase } from './with-database.ts';

const usage = `Usage: npm run admin:create -- --email <address> --first-name <name> --last-name <name>
The password, of 8 characters or more, is asked for, or taken from ADMIN_PASSWORD.`;

try {
  const admin = await readAdmin();
  await withDatabase(async (db) => {
    await inTransaction(db, (transaction) => createAdmin(transaction, null, admin));
  });
  console.log(`${admin.email} is an admin and can sign in now.`);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function readAdmin() {
  const { values } = parseArgs({
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
  return body.parse({ email, firstName, lastName, password });
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

function explain(error: unknown): string {
  if (isEmbeddedDatabaseInUse(error)) {
    return 'The server is running on this database. Stop it first, or open the address for the first admin in its log.';
  }
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (error instanceof AppError || error instanceof Error) return error.message;
  return String(error);
}
