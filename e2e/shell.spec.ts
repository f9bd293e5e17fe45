import type { Page } from '@playwright/test';
import { houseZone } from '#contract/house-zone.ts';
import type { Role } from '#contract/roles.ts';
import { dayAt } from '#contract/weeks.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildCoach } from '#test/factories/people.ts';
import { linkInMail, mailsTo, waitForMails } from '#test/support/sign-in.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import {
  addresses,
  callsOfAdminScreens,
  dataRequests,
  enter,
  expectAdminScreenRefused,
  expectDenied,
  expectSameScreen,
  heading,
  pathOf,
  roles,
  sidebar,
  startInstanceWithRoles,
} from './shell-people.ts';
import { demoPassword, expect, signIn, signInByForm, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithRoles();
});
test.afterAll(() => instance.stop());

const ofYears = 'public, max-age=31536000, immutable';
const keptScript = { 'cache-control': ofYears, 'content-type': expect.stringContaining('javascript') };

test('the app comes compressed, in files that a browser keeps, and its page is asked for anew', async ({ request }) => {
  const page = await request.get(`${instance.url}/login`);
  expect(page.headers()['cache-control']).toBe('no-cache');
  const scripts = (await page.text()).match(/\/assets\/[\w~-]+\.js/g) ?? [];
  const sizes = new Map<string, number>();
  for (const script of scripts) {
    const answer = await request.get(instance.url + script, { headers: { 'accept-encoding': 'identity' } });
    expect(answer.headers()).toMatchObject(keptScript);
    sizes.set(script, (await answer.body()).length);
  }
  const large = scripts.filter((script) => (sizes.get(script) ?? 0) >= 2048);
  expect(large).not.toEqual([]);
  for (const script of large) {
    for (const encoding of ['br', 'gzip']) {
      const answer = await request.get(instance.url + script, { headers: { 'accept-encoding': encoding } });
      expect(answer.headers(), script).toMatchObject({ ...keptScript, 'content-encoding': encoding });
      expect(await answer.body(), script).toHaveLength(sizes.get(script) ?? 0);
    }
  }
});

test.describe('signed out', () => {
  test('ROUTE-01 ROUTE-33 each account screen opens, under the name of the product and what it is', async ({
    page,
  }) => {
    for (const [path, title] of [
      ['/login', 'Sign in'],
      ['/register', 'Create an account'],
      ['/password-reset', 'Reset your password'],
      ['/set-password', 'Invalid link'],
    ] as const) {
      await page.goto(instance.url + path);
      await expect(heading(page, title)).toBeVisible();
      expect(pathOf(page)).toBe(path);
      await expect(page).toHaveTitle(`${title} · Switchyard`);
      await expect(page.getByRole('banner')).toContainText('Switchyard');
      await expect(page.getByRole('banner')).toContainText(/cohort-based training and coaching hub .*power-systems/);
    }
  });

  test('ROUTE-02 ROUTE-13 every other path leads to the login screen, and on to it after signing in', async ({
    page,
  }) => {
    for (const path of ['/', '/dashboard', '/coach', '/admin', '/activity/1', '/nothing-here', '/admin/nothing/here']) {
      await page.goto(instance.url + path);
      await expect(heading(page, 'Sign in')).toBeVisible();
      expect(pathOf(page), path).toBe('/login');
    }
    await page.goto(`${instance.url}/submissions?tab=pending`);
    await page.getByLabel('Email', { exact: true }).fill(addresses.coach);
    await page.getByLabel('Password', { exact: true }).fill(demoPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/submissions\?.*tab=pending/);
  });

  test('SEC1-06 notification preferences and the password change are not shown to nobody', async ({ page }) => {
    const requests = dataRequests(page);
    for (const path of ['/preferences/notifications', '/change-password']) {
      await page.goto(instance.url + path);
      await expect(heading(page, 'Sign in')).toBeVisible();
    }
    expect(requests).toEqual([]);
  });

  test('ROUTE-03 nothing but Loading... shows until the session is read, for nobody and for a person who had the screen before', async ({
    page,
  }) => {
    const expectLoadingUntilReadAt = async (path: string, title: string) => {
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
      await page.route('**/api/session', async (route) => {
        await isReleased;
        await route.continue();
      });
      await page.goto(instance.url + path);
      await expect(page.getByText('Loading...')).toBeVisible();
      expect((await page.locator('body').innerText()).trim()).toBe('Loading...');
      // The page brings this status itself, and the app then puts its own in its place.
      const status = page.getByRole('status').filter({ hasText: 'Loading...' });
      await expect.poll(() => status.boundingBox()).toMatchObject(page.viewportSize() ?? {});
      release();
      await expect(heading(page, title)).toBeVisible();
      await expect(page.getByText('Loading...')).toHaveCount(0);
      await page.unroute('**/api/session');
    };
    for (const path of ['/dashboard', '/login']) await expectLoadingUntilReadAt(path, 'Sign in');
    await expectLoadingUntilReadAt('/register', 'Create an account');
    await expectLoadingUntilReadAt('/set-password', 'Invalid link');
    await enter(instance, page, 'coach');
    await page.goto(`${instance.url}/dashboard`);
    await expect(heading(page, 'Coach Dashboard')).toBeVisible();
    for (const path of ['/dashboard', '/login']) await expectLoadingUntilReadAt(path, 'Coach Dashboard');
  });
});

test.describe('dashboards and guards', () => {
  test('ROUTE-05 ROUTE-06 a participant has the fellowship dashboard at /, /dashboard and /fellowship-dashboard', async ({
    page,
  }) => {
    await enter(instance, page, 'participant');
    await expectSameScreen(page, 'Fellowship Dashboard', instance.url, ['/', '/dashboard', '/fellowship-dashboard']);
  });

  test('ROUTE-05 ROUTE-07 ROUTE-10 ROUTE-14 coaches and admins have theirs at /, /dashboard and their own address', async ({
    page,
  }) => {
    for (const [role, own, title] of [
      ['coach', '/coach', 'Coach Dashboard'],
      ['admin', '/admin', 'Admin Dashboard'],
    ] as const) {
      await enter(instance, page, role);
      await expectSameScreen(page, title, instance.url, ['/', '/dashboard', own]);
    }
  });

  test('ROUTE-08 ROUTE-10 ROUTE-11 ROUTE-14 ROUTE-20 SEC-16 SEC1-02 SEC1-04 SEC1-05 a person who may not open a screen reads why, and its data is not asked for; a person who may opens it', async ({
    page,
  }) => {
    // One screen per role. web/app/screen-guards.test.tsx has all.
    const refused: Record<Role, [string, string]> = {
      participant: ['/coach', 'coach'],
      coach: ['/fellowship/modules', 'participant'],
      admin: ['/resources', 'participant or coach'],
    };
    const opened: Record<Role, [string, string][]> = {
      participant: [
        ['/fellowship', 'Fellowship Program'],
        ['/fellowship-dashboard', 'Fellowship Dashboard'],
        ['/fellowship/modules', 'My Files'],
        ['/resources', 'Learning Resources'],
      ],
      coach: [
        ['/coach', 'Coach Dashboard'],
        ['/resources', 'Learning Resources'],
      ],
      admin: [['/admin', 'Admin Dashboard']],
    };
    const requests = dataRequests(page);
    for (const role of roles) {
      await enter(instance, page, role);
      const [path, required] = refused[role];
      await page.goto(instance.url + path);
      await expectDenied(page, { role, required });
      expect(pathOf(page)).toBe(path);
    }
    expect(requests).toEqual([]);
    await expectAccessible(page);
    for (const role of roles.toReversed()) {
      if (role !== 'admin') await enter(instance, page, role);
      for (const [path, title] of opened[role]) {
        await page.goto(instance.url + path);
        await expect(heading(page, title)).toBeVisible();
        expect(pathOf(page)).toBe(path);
      }
    }
  });

  test('ROUTE-15 ROUTE-20 SEC-06 SEC1-01 SEC1-10 SEC1-11 SEC1-12 SEC1-13 the screens of admins refuse others in words of their own, asking for no data, and so does the server', async ({
    page,
  }) => {
    const requests = dataRequests(page);
    for (const role of ['participant', 'coach'] as const) {
      await enter(instance, page, role);
      await expectAdminScreenRefused(page, instance.url, role);
    }
    expect(requests).toEqual([]);
  });

  test('ROUTE-15 SEC1-01 an admin opens each screen of admins', async ({ page }) => {
    await enter(instance, page, 'admin');
    for (const path of Object.keys(callsOfAdminScreens)) {
      await page.goto(instance.url + path);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      await expect(heading(page, 'Access Denied')).toHaveCount(0);
      expect(pathOf(page)).toBe(path);
    }
  });

  test('ROUTE-09 ROUTE-12 ROUTE-13 ROUTE-19 SEC1-03 SEC1-06 screens without a list of roles open for each role', async ({
    page,
  }) => {
    const cohort = await buildCohort(instance.db, { startDate: dayAt(new Date(), houseZone) });
    const activity = await buildActivity(instance.db, { cohortId: cohort.id });
    const assignment = await buildAssignment(instance.db, { trainingActivityId: activity.id });
    const member = await instance.db
      .selectFrom('profiles')
      .select('id')
      .where('email', '=', addresses.participant)
      .executeTakeFirstOrThrow();
    await enrol(instance.db, { cohortId: cohort.id, participantId: member.id });
    const titles: Record<string, string> = {
      [`/activity/${activity.id}`]: activity.title,
      [`/assignment/${assignment.id}`]: assignment.title,
    };
    for (const role of roles) {
      await enter(instance, page, role);
      for (const path of [
        '/cohorts',
        '/submissions',
        '/training-calendar',
        '/preferences/notifications',
        '/change-password',
        `/activity/${activity.id}`,
        `/assignment/${assignment.id}`,
      ]) {
        await page.goto(instance.url + path);
        const title = titles[path] ?? /./;
        await expect(page.getByRole('main').getByRole('heading', { level: 1, name: title })).toBeVisible();
        await expect(heading(page, 'Access Denied')).toHaveCount(0);
        expect(pathOf(page)).toBe(path);
      }
    }
  });

  test('ROUTE-16 ROUTE-17 unknown paths, /login and /register lead a signed-in person to the dashboard', async ({
    page,
  }) => {
    await enter(instance, page, 'coach');
    for (const path of ['/nothing-here', '/coach/nothing', '/login', '/register']) {
      await page.goto(instance.url + path);
      await expect(heading(page, 'Coach Dashboard')).toBeVisible();
      expect(pathOf(page), path).toBe('/');
    }
  });
});

test.describe('the session', () => {
  test('DATA-03 a reload keeps the person signed in until it is over, and no script can read it', async ({ page }) => {
    await enter(instance, page, 'coach');
    await page.goto(`${instance.url}/coach`);
    await page.reload();
    await expect(heading(page, 'Coach Dashboard')).toBeVisible();
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect(cookie?.expires).toBeGreaterThan(Date.now() / 1000);
    await instance.db.updateTable('auth.session').set({ expiresAt: new Date() }).execute();
    await page.reload();
    await expect(heading(page, 'Sign in')).toBeVisible();
  });

  test('ROUTE-21 when the session ends while a screen is open, the next act asks to sign in again, and leaving shows Authentication Required', async ({
    page,
  }) => {
    const person = await buildCoach(instance.db);
    await instance.db
      .insertInto('auth.account')
      .values({
        userId: person.id,
        accountId: person.id,
        providerId: 'credential',
        password: await hashPassword(demoPassword),
      })
      .execute();
    await signIn(page, instance.url, person.email);
    await page.goto(`${instance.url}/change-password`);
    await expect(heading(page, 'Change Password')).toBeVisible();
    await page.getByLabel('Current password').fill(demoPassword);
    await page.getByLabel('New password', { exact: true }).fill('Turbine7');
    await page.getByLabel('Confirm new password').fill('Turbine7');
    // The session ends as the act is sent. Otherwise the live stream may tell it first, and the question covers the button.
    await page.route('**/api/account/password', async (route) => {
      await instance.db.deleteFrom('auth.session').where('userId', '=', person.id).execute();
      await route.continue();
    });
    await page.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Authentication Required' });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Leave this screen' }).click();
    await expect(heading(page, 'Authentication Required')).toBeVisible();
    await expect(sidebar(page)).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect(heading(page, 'Sign in')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/change-password');
  });

  test('ROUTE-31 Sign Out ends the session and leads to the login screen', async ({ page }) => {
    await enter(instance, page, 'participant');
    await page.goto(`${instance.url}/dashboard`);
    const cookies = await page.context().cookies();
    await sidebar(page).getByRole('button', { name: 'Sign Out' }).click();
    await expect(heading(page, 'Sign in')).toBeVisible();
    expect(pathOf(page)).toBe('/login');
    await page.context().addCookies(cookies);
    await page.goto(`${instance.url}/dashboard`);
    await expect(heading(page, 'Sign in')).toBeVisible();
  });

  test('ROUTE-04 ROUTE-23 a signed-in person by a set-password link is kept there, also after a reload, until signing out', async ({
    page,
  }) => {
    await enter(instance, page, 'participant');
    const link = await recoveryLink(page, addresses.participant);
    await page.goto(`${instance.url}/set-password${link.hash}`);
    await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
    await expect(sidebar(page)).toHaveCount(0);
    for (const path of ['/dashboard', '/submissions', '/login', '/password-reset', '/nothing-here']) {
      await page.goto(instance.url + path);
      await expect(page.getByLabel('New password', { exact: true }), path).toBeVisible();
      expect(pathOf(page), path).toBe('/set-password');
    }
    await page.reload();
    await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
    expect(pathOf(page)).toBe('/set-password');
    await page.getByRole('button', { name: /^Sign out/ }).click();
    await expect(heading(page, 'Sign in')).toBeVisible();
    await page.goto(`${instance.url}/register`);
    await expect(heading(page, 'Create an account')).toBeVisible();
  });

  test('ROUTE-18 AUTH-34 AUTH-40 a recovery link opened while signed in keeps showing reset mode, and the new password ends on the login screen; another tab asks in place', async ({
    page,
    context,
  }) => {
    await enter(instance, page, 'coach');
    const link = await recoveryLink(page, addresses.coach);
    await page.goto(`${instance.url}/password-reset${link.hash}`);
    await expect(heading(page, 'Choose a new password')).toBeVisible();
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(addresses.coach);
    await page.reload();
    await expect(heading(page, 'Choose a new password')).toBeVisible();
    expect(pathOf(page)).toBe('/password-reset');

    const other = await context.newPage();
    await other.goto(`${instance.url}/change-password`);
    await other.getByLabel('Current password').fill('typed before');
    for (const field of ['New password', 'Confirm new password']) {
      await page.getByLabel(field, { exact: true }).fill('Windpark7!');
    }
    await page.getByRole('button', { name: 'Set new password' }).click();
    await expect(toast(page, 'Password Set Successfully')).toBeVisible();
    await expect(heading(page, 'Sign in')).toBeVisible();
    expect(pathOf(page)).toBe('/login');
    await expect(other.getByRole('dialog', { name: 'Authentication Required' })).toBeVisible();
    await expect(other.getByLabel('Current password')).toHaveValue('typed before');
    await signInByForm(page, instance.url, addresses.coach, 'Windpark7!');
  });
});

/** The link of a reset email that a person has just requested. */
async function recoveryLink(page: Page, email: string): Promise<URL> {
  const before = (await mailsTo(instance.db, email)).length;
  const answer = await page.request.post(`${instance.url}/api/auth/request-password-reset`, { data: { email } });
  expect(answer.ok(), await answer.text()).toBe(true);
  await waitForMails(instance.db, email, before + 1);
  return linkInMail(instance.db, email);
}
