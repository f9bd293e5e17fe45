import { readFile, writeFile } from 'node:fs/promises';
import { argumentsOrEnd } from '#server/command.ts';
import { createDatabaseOn, openTestServer } from '../test/support/test-server.ts';
import { describeSchemaAsTypes } from './schema-types.ts';

const file = 'server/db/schema.gen.ts';

const { values } = argumentsOrEnd('Usage: npm run db:types [-- --check]', { options: { check: { type: 'boolean' } } });
const server = await openTestServer();
try {
  const database = await createDatabaseOn(server);
  const types = await describeSchemaAsTypes(database.pool);
  await database.leave();
  if (values.check) await compare(types);
  else {
    await writeFile(file, types);
    console.log(`${file} written.`);
  }
} finally {
  await server.close();
}

async function compare(types: string): Promise<void> {
  if ((await readFile(file, 'utf8')) === types) return;
  console.error(`${file} is not what the migrations make: run npm run db:types.`);
  process.exitCode = 1;
}
