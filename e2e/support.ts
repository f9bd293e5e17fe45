import { test as base, expect, type Page } from '@playwright/test';
import { type Instance, startInstance, startLimitInMs } from './instance.ts';

export const demoPassword = 'Power-Up-2026!';

interface WorkerFixtures {
  /** An instance with the demo programme, shared by the tests of one worker: read it, don't change it. */
  demo: Instance;
}

export const test = base.extend<Record<never, never>, WorkerFixtures>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const instance = await startInstance({ DEMO: '1' });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: startLimitInMs + 30_000 },
  ],
});
export { expect };

export async function signIn(page: Page, url: string, email: string, password: string = demoPassword): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');
}
