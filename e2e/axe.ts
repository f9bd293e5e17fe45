import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { looks, looksOf, takeLook, waitUntilDrawn } from './looks.ts';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The object that axe leaves in a page's window. If it is missing, the check injects axe. */
type WindowWithAxe = Window & {
  axe?: { run: (context: Document | string[][], options: RunOptions) => Promise<AxeResults> };
};

const openDialog = '[role=dialog][aria-modal=true]';

/**
 * Refuses any finding of axe on the page as it stands. All rules that axe has on by default run, and only
 * passes go unreported.
 * Nobody can use the page behind an open dialog, so there the check covers only what the page announces.
 * A page gets axe only once, for any number of checks. The script is long, and loading it takes as long as a check.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, {});
}

/** Checks a page whose colors alone have changed since it was found accessible. */
async function expectAccessibleColours(page: Page): Promise<void> {
  await expectNoViolations(page, { runOnly: ['color-contrast', 'link-in-text-block'] });
}

/** Checks the page as it stands, then in dark colors. Leaves it light. */
export async function expectAccessibleInBothColours(page: Page): Promise<void> {
  await expectAccessible(page);
  const { width } = page.viewportSize() ?? { width: 1280 };
  await takeLook(page, { colorScheme: 'dark', width });
  await expectAccessibleColours(page);
  await takeLook(page, { colorScheme: 'light', width });
}

/** Checks both color schemes, on a desk and on a phone. Leaves the page light and wide. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  for (const look of looksOf()) {
    await takeLook(page, look);
    await expectAccessible(page);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(excess, `${page.url()} scrolls sideways at ${look.width} px`).toBeLessThanOrEqual(0);
  }
  await takeLook(page, looks[0]);
}

async function expectNoViolations(page: Page, options: RunOptions): Promise<void> {
  // Between two screens there is no heading.
  await page.locator('h1').first().waitFor();
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(script);
  const isDialogOpen = (await page.locator(openDialog).count()) > 0;
  // A dialog that has just opened gets its name from its title one frame later.
  if (isDialogOpen) await waitUntilDrawn(page);
  const findings = await page.evaluate(
    async ({ asked, parts }) => {
      const { axe } = window as WindowWithAxe;
      if (!axe) throw new Error('The page has no axe.');
      const transitions = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === 1);
      await Promise.allSettled(transitions.map(({ finished }) => finished));
      const { violations } = await axe.run(parts ?? document, asked);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    },
    {
      asked: { ...options, resultTypes: ['violations'], elementRef: false } satisfies RunOptions,
      parts: isDialogOpen ? [[openDialog], ['[role=alert]'], ['[role=status]']] : null,
    },
  );
  expect(findings, `axe on ${page.url()}`).toEqual([]);
}
