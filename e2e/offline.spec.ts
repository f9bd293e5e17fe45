import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter, heading, sidebar, startInstanceWithRoles } from './shell-people.ts';
import { expect, test } from './support.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithRoles();
});
test.afterAll(() => instance.stop());

const note = (page: Page) => page.getByRole('status').filter({ hasText: 'You are offline.' });

for (const width of [360, 1280]) {
  test(`at ${width} px, without a network a note says so, covers nothing, and leaves by itself`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width, height: 640 });
    await enter(instance, page, 'coach');
    await page.goto(`${instance.url}/change-password`);
    await expect(heading(page, 'Change Password')).toBeVisible();
    await expect(note(page)).toHaveCount(0);
    await context.setOffline(true);
    await expect(note(page)).toBeInViewport();
    await expect(page.getByRole('main')).toContainText('Change Password');
    await expectAccessible(page);
    const last = page.getByRole('main').getByRole('button').last();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const [button, covering] = [await last.boundingBox(), await note(page).boundingBox()];
    if (!button || !covering) throw new Error('The note or the last button is not shown.');
    expect(button.y + button.height).toBeLessThanOrEqual(covering.y);
    if (width > 768) {
      const navigation = await sidebar(page).boundingBox();
      expect((navigation?.y ?? 0) + (navigation?.height ?? 0)).toBeLessThanOrEqual(covering.y);
    }
    await context.setOffline(false);
    await expect(note(page)).toHaveCount(0);
    await expect(page.getByRole('status').filter({ hasText: 'The connection is back.' })).toHaveCount(1);
  });
}

test('a server that cannot be reached is not told as being offline, and what failed meanwhile is read when it answers again', async ({
  page,
}) => {
  await enter(instance, page, 'coach');
  await page.goto(`${instance.url}/change-password`);
  await expect(heading(page, 'Change Password')).toBeVisible();
  const data = /\/api\//;
  await page.route(data, (route) => route.abort('connectionrefused'));
  await sidebar(page).getByRole('link', { name: 'Training Calendar' }).click();
  await expect(page.getByRole('alert')).toContainText('Unable to connect to the server.');
  const unanswered = page.getByRole('status').filter({ hasText: "We can't reach Switchyard." });
  await expect(unanswered).toBeVisible();
  await expect(note(page)).toHaveCount(0);
  await page.unroute(data);
  await expect(unanswered).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(heading(page, 'Training Calendar')).toBeVisible();
});

test('the sign-in screen tells it too', async ({ page, context }) => {
  await page.goto(`${instance.url}/login`);
  await expect(heading(page, 'Sign in')).toBeVisible();
  await context.setOffline(true);
  await expect(note(page)).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(note(page)).toHaveCount(0);
});
