import type { Role } from '#contract/roles.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { addresses, enter, heading, names, pathOf, roles, sidebar, startInstanceWithRoles } from './shell-people.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithRoles();
});
test.afterAll(() => instance.stop());

test.describe('the side navigation', () => {
  for (const [role, entries] of [
    ['participant', ['Dashboard', 'My Activities', 'Resources', 'Messages', 'My Files', 'Submissions']],
    ['coach', ['Dashboard', 'Training Calendar', 'Resources', 'Messages', 'Submissions']],
    [
      'admin',
      [
        'Dashboard',
        'Training Calendar',
        'Messages',
        'Bulk User Creation',
        'User Management',
        'Training Management',
        'Content Management',
        'Resources Management',
        'Stipend Management',
        'Submissions',
      ],
    ],
  ] as const) {
    test(`ROUTE-23 ROUTE-24 ROUTE-25 ROUTE-26 ROUTE-30 SEC1-07 SEC1-08 SEC1-09 a ${role}`, async ({ page }) => {
      await enter(instance, page, role);
      await page.goto(`${instance.url}/change-password`);
      await expect(sidebar(page).getByRole('list').getByRole('link')).toHaveText([...entries]);
      await expect(sidebar(page)).toContainText(names[role]);
      await expect(sidebar(page)).toContainText(addresses[role]);
      await expect(sidebar(page).getByTestId('role-badge')).toHaveText(role);
    });
  }

  test('ROUTE-09 ROUTE-27 ROUTE-28 ROUTE-32 each entry leads where it says, and marks the place', async ({ page }) => {
    const account = {
      Notifications: ['/preferences/notifications', 'Notification Preferences'],
      'Change Password': ['/change-password', 'Change Password'],
    };
    const places: Record<Role, Record<string, string[]>> = {
      participant: {
        'My Activities': ['/training-calendar', 'Training Calendar'],
        Resources: ['/resources', 'Learning Resources'],
        Messages: ['/cohorts', 'Communications'],
        'My Files': ['/fellowship/modules', 'My Files'],
        Submissions: ['/submissions', 'Submissions'],
        Dashboard: ['/dashboard', 'Fellowship Dashboard'],
        ...account,
      },
      coach: {
        'Training Calendar': ['/training-calendar', 'Training Calendar'],
        Resources: ['/resources', 'Learning Resources'],
        Messages: ['/cohorts', 'Communications'],
        Dashboard: ['/dashboard', 'Coach Dashboard'],
        ...account,
      },
      admin: {
        Messages: ['/cohorts', 'Communications'],
        'Bulk User Creation': ['/admin/bulk-invitations', 'Bulk User Creation'],
        'User Management': ['/admin/user-management', 'User Management'],
        'Training Management': ['/admin/training-management', 'Training Activity Management'],
        'Content Management': ['/admin/content-management', 'Content Management'],
        'Resources Management': ['/admin/resources-management', 'Resources Management'],
        'Stipend Management': ['/admin/stipend-management', 'Stipend Management'],
        ...account,
      },
    };
    for (const role of roles) {
      await enter(instance, page, role);
      await page.goto(`${instance.url}/change-password`);
      for (const [label, [path, title = '']] of Object.entries(places[role])) {
        const entry = sidebar(page).getByRole('link', { name: label, exact: true });
        await entry.click();
        await expect.poll(() => pathOf(page)).toBe(path);
        await expect(entry).toHaveAttribute('aria-current', 'page');
        await expect(heading(page, title)).toBeVisible();
      }
    }
  });

  for (const role of roles) {
    test(`all of it stands in a window of 1280 to 800 for a ${role}, also when it is collapsed`, async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await enter(instance, page, role);
      await page.goto(`${instance.url}/change-password`);
      for (const act of ['Collapse sidebar', 'Expand sidebar']) {
        await expect(sidebar(page).getByRole('button', { name: act })).toBeInViewport({ ratio: 1 });
        await expect(sidebar(page).getByRole('button', { name: 'More' })).toBeInViewport({ ratio: 1 });
        const entries = sidebar(page).getByTestId('sidebar-entries');
        expect(await entries.evaluate((list) => list.scrollHeight - list.clientHeight)).toBe(0);
        await sidebar(page).getByRole('button', { name: act }).click();
      }
    });
  }

  test('where all of it does not fit, the current entry stands clear of the edges, with the next one in sight', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await enter(instance, page, 'admin');
    await page.goto(`${instance.url}/admin/audit-log`);
    const entries = sidebar(page).getByTestId('sidebar-entries');
    await expect(entries.getByRole('link', { name: 'Audit Log' })).toHaveAttribute('aria-current', 'page');
    expect(await entries.evaluate((list) => list.scrollHeight - list.clientHeight)).toBeGreaterThan(0);
    await expect(entries.getByRole('link', { name: 'Status' })).toBeInViewport({ ratio: 1 });
    await page.goto(`${instance.url}/admin`);
    await expect(entries.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
  });

  test('ROUTE-32 a hint names each icon of the account', async ({ page }) => {
    await enter(instance, page, 'coach');
    await page.goto(`${instance.url}/change-password`);
    for (const label of ['Notifications', 'Change Password']) {
      await sidebar(page).getByRole('link', { name: label, exact: true }).hover();
      await expect(page.getByRole('tooltip', { name: label })).toBeVisible();
    }
    await sidebar(page).getByRole('button', { name: 'Sign Out' }).hover();
    await expect(page.getByRole('tooltip', { name: 'Sign Out' })).toBeVisible();
  });

  test('ROUTE-29 ROUTE-30 it is 256 px wide, collapses to 64 px and still says whose it is, and stays as it was left', async ({
    page,
  }) => {
    await enter(instance, page, 'coach');
    await page.goto(`${instance.url}/change-password`);
    const width = async () => (await sidebar(page).boundingBox())?.width;
    await expect.poll(width).toBe(256);
    await sidebar(page).getByRole('button', { name: 'Collapse sidebar' }).click();
    await expect.poll(width).toBe(64);
    await expectAccessible(page);
    await sidebar(page).getByRole('link', { name: 'Messages' }).hover();
    await expect(page.getByRole('tooltip', { name: 'Messages' })).toBeVisible();
    const own = sidebar(page).getByText(`${names.coach}, ${addresses.coach}, coach`);
    await expect(own).toBeAttached();
    await own.locator('..').hover();
    await expect(page.getByRole('tooltip', { name: names.coach })).toContainText(addresses.coach);
    await page.reload();
    await expect.poll(width).toBe(64);
    await sidebar(page).getByRole('button', { name: 'Expand sidebar' }).click();
    await expect.poll(width).toBe(256);
  });

  test('a toast begins beside it, also when it is collapsed, and at the edge of a phone', async ({ page }) => {
    await enter(instance, page, 'participant');
    await page.goto(`${instance.url}/training-calendar`);
    const left = async () => (await toast(page, 'No Training Activities').boundingBox())?.x;
    await expect.poll(left).toBe(256 + 16);
    await sidebar(page).getByRole('button', { name: 'Collapse sidebar' }).click();
    await expect(sidebar(page).getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
    await page.reload();
    await expect.poll(left).toBe(64 + 16);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.reload();
    await expect.poll(left).toBe(16);
  });

  test('the first Tab skips to the content', async ({ page }) => {
    await enter(instance, page, 'coach');
    await page.goto(`${instance.url}/change-password`);
    await expect(heading(page, 'Change Password')).toBeVisible();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
  });

  test('on a phone it is a drawer: out of reach while closed, closed by Escape and by going somewhere', async ({
    page,
  }) => {
    const expectOutOfReach = async () => {
      await expect(sidebar(page)).not.toBeInViewport();
      await expect(sidebar(page)).toHaveJSProperty('inert', true);
    };
    await page.setViewportSize({ width: 360, height: 760 });
    await enter(instance, page, 'admin');
    await page.goto(`${instance.url}/change-password`);
    await expect(heading(page, 'Change Password')).toBeVisible();
    await expectOutOfReach();
    const open = page.getByRole('button', { name: 'Open navigation' });
    await open.press('Enter');
    await expect(sidebar(page)).toBeInViewport();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expectOutOfReach();
    await open.click();
    await sidebar(page).getByRole('link', { name: 'Submissions' }).click();
    await expect(heading(page, 'Submissions')).toBeVisible();
    await expectOutOfReach();
  });
});

test('a participant on a phone has five places at the bottom, one tap away from everywhere; nobody else has them', async ({
  page,
  openWindow,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await enter(instance, page, 'participant');
  await page.goto(`${instance.url}/change-password`);
  const bar = page.getByRole('navigation', { name: 'Every day' });
  await expect(bar.getByRole('link')).toHaveText(['Home', 'Calendar', 'Progress', 'Pay', 'Messages']);
  for (const [label, path] of Object.entries({ Progress: '/fellowship', Pay: '/my-stipends' })) {
    await bar.getByRole('link', { name: label }).click();
    await expect.poll(() => pathOf(page)).toBe(path);
    await expect(bar.getByRole('link', { name: label })).toHaveAttribute('aria-current', 'page');
    await expect(bar).toBeInViewport({ ratio: 1 });
  }
  await page.goto(`${instance.url}/fellowship/modules`);
  await expect(heading(page, 'My Files')).toBeVisible();
  await expect(bar.locator('[aria-current]')).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 740 });
  await expect(bar).toBeHidden();
  const ofCoach = await openWindow({ viewport: { width: 360, height: 740 } });
  await enter(instance, ofCoach, 'coach');
  await ofCoach.goto(`${instance.url}/change-password`);
  await expect(heading(ofCoach, 'Change Password')).toBeVisible();
  await expect(ofCoach.getByRole('navigation', { name: 'Every day' })).toHaveCount(0);
});

test('ROUTE-22 ERR-05 a screen that breaks shows Something went wrong beside the navigation, and Refresh Page reloads it', async ({
  page,
}) => {
  await enter(instance, page, 'coach');
  const chunk = '**/assets/ChangePasswordPage-*.js';
  await page.route(chunk, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export function ChangePasswordPage() { throw new Error("broken"); }; export { ChangePasswordPage as t, ChangePasswordPage as n };',
    }),
  );
  await page.goto(`${instance.url}/change-password`);
  await expect(heading(page, 'Something went wrong')).toBeVisible();
  await expect(sidebar(page)).toBeVisible();
  await expectAccessible(page);
  await page.unroute(chunk);
  await page.getByRole('button', { name: 'Refresh Page' }).click();
  await expect(heading(page, 'Change Password')).toBeVisible();
});
