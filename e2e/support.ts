import AxeBuilder from '@axe-core/playwright';
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

/**
 * Refuses any finding of axe on the page as it stands. All of its rules are asked; only what passed is not reported,
 * and the mode that looks into frames of other origins is left out, because no page may have any: that doubles the time.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, axeOn(page));
}

/** For a page that was accessible and has changed nothing but its colours since. */
export async function expectAccessibleColours(page: Page): Promise<void> {
  await expectNoViolations(page, axeOn(page).withRules(['color-contrast', 'link-in-text-block']));
}

/** In both colour schemes, on a desk and on a phone; ends light and wide. */
export async function expectAccessibleInEachLook(page: Page): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(excess, `${page.url()} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectAccessibleColours(page);
  }
}

function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
}

async function expectNoViolations(page: Page, axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  const findings = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  expect(findings, `axe on ${page.url()}`).toEqual([]);
}
