import type { InstanceWithDatabase } from './instance.ts';
import { enter, heading, sidebar, startInstanceWithRoles } from './shell-people.ts';
import { expect, test } from './support.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithRoles();
});
test.afterAll(() => instance.stop());

test.describe('by the keyboard alone', () => {
  test('the focus goes to the heading of the screen that one went to, and the title of the tab with it', async ({
    page,
  }) => {
    await enter(instance, page, 'coach');
    await page.goto(`${instance.url}/change-password`);
    await expect(heading(page, 'Change Password')).toBeVisible();
    await expect(page.locator('body')).toBeFocused();
    for (const [label, title] of [
      ['Training Calendar', 'Training Calendar'],
      ['Messages', 'Communications'],
      ['Training Calendar', 'Training Calendar'],
    ] as const) {
      await sidebar(page).getByRole('link', { name: label }).press('Enter');
      await expect(heading(page, title)).toBeFocused();
      await expect(page).toHaveTitle(`${title} · Switchyard`);
    }
    await page.goBack();
    await expect(heading(page, 'Communications')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(sidebar(page).locator(':focus')).toHaveCount(1);
  });

  test('signing in, going through the navigation and signing out need no mouse', async ({ page }) => {
    await page.goto(`${instance.url}/login`);
    await page.getByLabel('Email', { exact: true }).focus();
    await page.keyboard.type('casey@people.example');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Power-Up-2026!');
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Coach Dashboard')).toBeFocused();
    await page.reload();
    await expect(heading(page, 'Coach Dashboard')).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    const reached: string[] = [];
    while (reached.at(-1) !== 'Sign Out' && reached.length < 20) {
      await page.keyboard.press('Tab');
      reached.push((await sidebar(page).locator(':focus').textContent()) ?? '');
    }
    expect(reached).toEqual(expect.arrayContaining(['Dashboard', 'Submissions', 'Change Password', 'Sign Out']));
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Sign in')).toBeFocused();
  });

  test('on a phone Escape leads back to the button that opened the navigation, and an entry to its screen', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 760 });
    await enter(instance, page, 'coach');
    await page.goto(`${instance.url}/change-password`);
    const open = page.getByRole('button', { name: 'Open navigation' });
    await open.press('Enter');
    await expect(sidebar(page)).toBeVisible();
    for (let presses = 0; presses < 6 && (await sidebar(page).locator(':focus').count()) === 0; presses += 1) {
      await page.keyboard.press('Tab');
    }
    await expect(sidebar(page).locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(open).toBeFocused();
    await page.keyboard.press('Enter');
    await sidebar(page).getByRole('link', { name: 'Messages' }).press('Enter');
    await expect(heading(page, 'Communications')).toBeFocused();
  });
});
