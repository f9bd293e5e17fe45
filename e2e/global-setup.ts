import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openTestServer } from '../test/support/test-server.ts';

/**
 * Gives all browser tests one database server and one filled demo programme, which they find by these settings. A run
 * of all suites has already prepared them.
 */
// biome-ignore lint/style/noDefaultExport: Playwright takes the set-up from the default export.
export default async function prepareBrowserTests(): Promise<() => Promise<void>> {
  if (process.env.DEMO_TEMPLATE) return async () => undefined;
  const { connectionString, close } = await openTestServer();
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-demo-'));
  process.env.TEST_DATABASE_URL = connectionString;
  process.env.DEMO_TEMPLATE = `template_${randomBytes(8).toString('hex')}`;
  process.env.DEMO_FILES = path.join(folder, 'filled');
  return async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  };
}
