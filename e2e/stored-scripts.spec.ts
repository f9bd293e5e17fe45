import type { Page } from '@playwright/test';
import type { z } from 'zod';
import { readContract } from '#test/support/contract.ts';
import { schemaOf } from '#test/support/sample-body.ts';
import { startDemoInstance } from './demo-instance.ts';
import { openPage, pagesOf, signInAs, visitors } from './demo-pages.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { endTextsWithScripts } from './scripts-in-texts.ts';
import { demoPassword, expect, test } from './support.ts';

let instance: InstanceWithDatabase;
let columns: Set<string>;
test.beforeAll(async () => {
  instance = await startDemoInstance();
  columns = await endTextsWithScripts(instance.db);
});
test.afterAll(() => instance.stop());

/** Texts of the contract that are kept under another name. */
const keptAs: Record<string, string> = { marked: 'holidays', text: 'submission_text', value: 'search' };
/** Texts of the contract that no screen shows as they came, and why. */
const notShown: Record<string, string> = {
  ...because('It is a secret, and never kept as it is.', ['code', 'currentPassword', 'idToken', 'newPassword']),
  ...because('It is a secret, and never kept as it is.', ['password', 'token']),
  ...because('It must be an address of somebody.', ['coach_email', 'email', 'participant_email']),
  ...because('It names a record, or one of a closed list.', ['audiences', 'cohort', 'key', 'kind', 'program', 'role']),
  ...because('It names a record, or one of a closed list.', ['track_type', 'userId', 'versions', 'zone']),
};

function because(reason: string, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

test('every free text of the contract is in a column that ends with scripts', async () => {
  const names = new Set(
    (await readContract()).flatMap(({ method, body }) => (method === 'GET' || !body ? [] : textsIn(body))),
  );
  expect(names.size).toBeGreaterThan(30);
  const missing = [...names].filter((name) => !columns.has(keptAs[name] ?? inColumns(name)) && !(name in notShown));
  expect(missing).toEqual([]);
});

test('a script that did stand on a page would be noticed', async ({ pageInNewBrowser: page }) => {
  const seen = await watch(page);
  await openPage(page, instance, '/login');
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<img src="/ran" onerror="ran()"><a href="javascript:ran()">Go</a>');
  });
  await expect.poll(() => seen).toContainEqual(expect.stringContaining('request: '));
  await expect.poll(() => seen).toContainEqual(expect.stringContaining('policy: '));
  expect((await injectedInto(page)).elements).toHaveLength(2);
});

for (const visitor of visitors) {
  test(`no text that somebody stored runs on a screen of the ${visitor}`, async ({ pageInNewBrowser: page }) => {
    const seen = await watch(page);
    await signInAs(page.context(), instance, visitor, demoPassword);
    const shown: string[] = [];
    for (const place of pagesOf[visitor]) {
      await openPage(page, instance, place);
      if ((await page.locator('body').innerText()).includes('ran()')) shown.push(place);
      expect({ place, ...(await injectedInto(page)), seen }).toEqual({ place, ran: false, elements: [], seen: [] });
    }
    // There is little that other people wrote for these two.
    if (visitor === 'signed-out' || visitor === 'newcomer') return;
    await openWindows(page);
    expect({ ...(await injectedInto(page)), seen }).toEqual({ ran: false, elements: [], seen: [] });
    expect(shown.length).toBeGreaterThan(pagesOf[visitor].length / 3);
  });
}

/** What is found by words, and what a person is told, open above every screen. */
async function openWindows(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Notifications/ }).click();
  const told = page.getByRole('dialog', { name: 'Notifications' });
  await expect(told.locator('[aria-busy=true]')).toHaveCount(0);
  expect((await injectedInto(page)).elements).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find' }).fill('ran');
  await expect(page.getByRole('option', { name: /ran\(\)/ }).first()).toBeVisible();
}

/** Collects dialogs, requests that a script or picture in a text makes, what the policy refuses, and faults. */
async function watch(page: Page): Promise<string[]> {
  const seen: string[] = [];
  await page.addInitScript(() => {
    const own = window as Window & { ran?: () => void; hasRun?: boolean };
    own.ran = () => {
      own.hasRun = true;
    };
  });
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/ran') seen.push(`request: ${request.url()}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 500) seen.push(`${answer.status()}: ${answer.url()}`);
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) seen.push(`policy: ${message.text()}`);
  });
  return seen;
}

async function injectedInto(page: Page): Promise<{ ran: boolean; elements: string[] }> {
  return page.evaluate(() => {
    const strange =
      '[onerror], [onload], [href^="javascript:" i], [src="/ran"], [src^="javascript:" i], script:not([src])';
    return {
      ran: (window as Window & { hasRun?: boolean }).hasRun === true,
      elements: [...document.querySelectorAll(strange)].map((element) => element.outerHTML.slice(0, 200)),
    };
  });
}

/** Names of the fields that take any text. */
function textsIn(schema: z.ZodType): string[] {
  const names = new Set<string>();
  const look = (part: unknown, name: string): void => {
    if (Array.isArray(part)) for (const one of part) look(one, name);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return;
    const {
      properties = {},
      anyOf,
      oneOf,
      allOf,
      items,
      additionalProperties,
      ...rest
    } = part as Record<string, unknown>;
    const isText = [rest.type].flat().includes('string');
    if (isText && !('format' in rest || 'enum' in rest || 'pattern' in rest || 'const' in rest)) names.add(name);
    for (const [own, inner] of Object.entries(properties as object)) look(inner, own);
    for (const inner of [anyOf, oneOf, allOf, items, additionalProperties]) look(inner, name);
  };
  look(schemaOf(schema), '');
  return [...names];
}

function inColumns(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
