import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { createDatabaseOn, openTestServer } from '../test/support/test-server.ts';
import { type Instance, type InstanceWithDatabase, startInstance } from './instance.ts';
import { demoPassword } from './support.ts';

/** An instance without the demo programme and with one admin. The test fills its database. */
export async function startInstanceWithDatabase(
  adminEmail: string,
  env: Record<string, string> = {},
  start: (env: Record<string, string>) => Promise<Instance> = startInstance,
): Promise<InstanceWithDatabase> {
  const server = await openTestServer();
  const database = await createDatabaseOn(server);
  const names = { firstName: 'Ada', lastName: 'Admin' };
  await createSignInWithPassword(database.db, {
    ...names,
    email: adminEmail,
    role: 'admin',
    trackType: null,
    password: demoPassword,
  });
  const instance = await start({ DATABASE_URL: database.connectionString, ...env });
  return {
    ...instance,
    db: database.db,
    stop: async () => {
      await instance.stop();
      await database.leave();
      await server.close();
    },
  };
}
