import { mkdirSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { signInAs } from '../e2e/demo-pages.ts';
import { takeLook, waitUntilSettled } from '../e2e/looks.ts';
import { startInOwnProcess } from '../e2e/own-process.ts';
import { requireBrowser } from './browser.ts';

const folder = '/tmp/coach-shots';
mkdirSync(folder, { recursive: true });
const instance = await startInOwnProcess({ DEMO: '1' });
const browser = await chromium.launch({
  executablePath: await requireBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
});
const looks = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 360, height: 740, colorScheme: 'light' },
  { width: 360, height: 740, colorScheme: 'dark' },
] as const;
async function shot(page: Page, name: string, fullPage = true, only?: number[]) {
  for (const look of looks) {
    if (only && !only.includes(looks.indexOf(look))) continue;
    await takeLook(page, look as never);
    await page.setViewportSize({ width: look.width, height: look.height });
    await waitUntilSettled(page);
    await page.screenshot({ path: `${folder}/${name}-${look.width}-${look.colorScheme}.png`, fullPage });
  }
}
try {
  const context = await browser.newContext();
  await signInAs(context, instance, 'coach', demoPassword);
  const page = await context.newPage();
  const go = async (place: string) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${instance.url}${place}`);
    await waitUntilSettled(page);
  };
  await go('/dashboard');
  await shot(page, 'overview');
  await go('/dashboard?tab=ratings');
  await shot(page, 'ratings');
  await go('/dashboard?tab=sessions');
  await shot(page, 'sessions');
  await go('/submissions?mine=false');
  await shot(page, 'submissions', true, [0, 2]);
  await go('/submissions?tab=pending&mine=false');
  await page
    .getByRole('button', { name: /^Review / })
    .first()
    .click();
  await waitUntilSettled(page);
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  await dialog.getByLabel('Feedback').fill('Ravi, name each breaker that was open, and say who saw it.');
  await shot(page, 'review', false);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Saved comments' }).click();
  await waitUntilSettled(page);
  await shot(page, 'comments-empty', false, [0]);
  for (const [title, text, shared] of [
    ['Name the parts', '{first name}, name each part that you saw in {assignment}.', true],
    ['Well done', 'Well done, {first name}. This is complete.', false],
    ['A very long title of a comment that somebody saved for many people, cut', 'Long words: '.repeat(40), false],
  ] as const) {
    await page.getByRole('button', { name: /^(Save this as a comment|Write a comment)/ }).click();
    await page.getByLabel('Title').fill(title);
    await page.getByRole('textbox', { name: /^Comment/ }).fill(text);
    if (shared) await page.getByRole('checkbox', { name: /^Share/ }).check();
    await page
      .getByRole('dialog', { name: 'Saved comments' })
      .getByRole('button', { name: 'Save', exact: true })
      .click();
    await page.getByRole('button', { name: `Insert ${title}` }).waitFor();
  }
  await shot(page, 'comments-full', false, [0, 1]);
  await page.getByRole('button', { name: 'Edit Name the parts' }).click();
  await waitUntilSettled(page);
  await shot(page, 'comments-edit', false, [0]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 360, height: 740 });
  await dialog.getByText('Your review', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Saved comments' }).click();
  await waitUntilSettled(page);
  await shot(page, 'comments-phone', false, [2, 3]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog
    .getByRole('button', { name: /^Submit/ })
    .last()
    .click();
  await page.waitForTimeout(1500);
  await shot(page, 'taken', false);
} finally {
  await browser.close();
  await instance.stop();
}
