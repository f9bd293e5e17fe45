import { openTestServer } from '../test/support/test-server.ts';

/** One database server for all browser tests: each of them that asks for a server gets this one. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the set-up from the default export.
export default async function startDatabaseServer(): Promise<() => Promise<void>> {
  const { connectionString, close } = await openTestServer();
  process.env.TEST_DATABASE_URL = connectionString;
  return close;
}
