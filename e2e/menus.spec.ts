import { expectAccessibleInBothColours } from './axe.ts';
import { startDemoInstance } from './demo-instance.ts';
import type { Instance } from './instance.ts';
import { expect, signIn, test } from './support.ts';

let instance: Instance;
test.beforeAll(async () => {
  instance = await startDemoInstance();
});
test.afterAll(() => instance.stop());

const menus = [
  { width: 1280, place: '/admin/user-management', name: /^More for / },
  { width: 360, place: '/admin/user-management', name: 'More actions' },
  { width: 1280, place: '/admin/resources-management', name: /^More for / },
] as const;

for (const { width, place, name } of menus) {
  test(`the open menu "${name}" of ${place} is part of the page at ${width} px, and its first act has the focus`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await signIn(page, instance.url, 'admin@demo.example');
    await page.goto(`${instance.url}${place}`);
    const menu = page.getByRole('main').getByRole('menu');
    const opener = page.getByRole('button', { name }).first();
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await expectAccessibleInBothColours(page);
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
    await expect(opener).toBeFocused();
  });
}
