import type { Page } from '@playwright/test';
import { setPassword } from '#contract/accounts.ts';
import { fillRegistration, linkInMailTo, newAddress, registerAndConfirm, requestReset } from './account-pages.ts';
import { expectAccessible } from './axe.ts';
import { startDemoInstance } from './demo-instance.ts';
import type { Instance } from './instance.ts';
import { chosenPassword, expect, signInByForm, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: Instance;

test.beforeAll(async () => {
  instance = await startDemoInstance();
});
test.afterAll(() => instance.stop());

/** The time between the server's answer to an act and the login screen, by the page's own clock. */
function millisecondsUntilLogin(page: Page, act: string): Promise<number> {
  return page.evaluate(
    (path) =>
      new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          if (location.pathname !== '/login') return;
          observer.disconnect();
          const answered = performance
            .getEntriesByType('resource')
            .filter((entry) => entry instanceof PerformanceResourceTiming)
            .findLast(({ name }) => name.endsWith(path));
          resolve(performance.now() - (answered?.responseEnd ?? Number.POSITIVE_INFINITY));
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    act,
  );
}

test('AUTH-01 AUTH-02 AUTH-03 AUTH-04 the login screen has its fields, a toggle for the password and its two links', async ({
  page,
}) => {
  await page.goto(`${instance.url}/login`);
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('readable');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show or hide what is typed' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Show or hide what is typed' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.waitForURL('**/password-reset');
  await page.goBack();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.waitForURL('**/register');
});

test('AUTH-05 AUTH-06 AUTH-07 AUTH-14 from registration over the confirmation mail to the dashboard', async ({
  page,
}) => {
  const email = newAddress();
  await fillRegistration(instance, page, email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/login');
  await expect(toast(page, 'Registration Successful')).toContainText('Check your email');
  await page.reload();
  const next = page.getByRole('status').filter({ hasText: 'Check your email' });
  await expect(next).toContainText(`We wrote to ${email}`);
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  await expectAccessible(page);

  await page.getByLabel('Password', { exact: true }).fill('turbin');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toast(page, 'Sign In Failed')).toContainText('Invalid email or password.');
  expect(new URL(page.url()).pathname).toBe('/login');
  await next.getByRole('button', { name: 'Send the confirmation again' }).click();
  await expect(toast(page, 'Confirmation Sent')).toContainText(email);

  await page.goto(await linkInMailTo(instance, page, email, 'Confirm your email address'));
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('wrong');
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await expect(page.getByText('This is not the password you chose when you registered.').first()).toBeVisible();
  await expect(password).toBeFocused();
  await expectAccessible(page);
  await password.fill('turbin');
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await expect(toast(page, 'Email Address Confirmed')).toContainText(email);
  await page.waitForURL('**/dashboard');

  await page.context().clearCookies();
  await page.goto(`${instance.url}/login`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await password.fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toast(page, 'Sign In Failed')).toContainText('Invalid email or password.');
  await expect(page.getByRole('status').filter({ hasText: 'Not confirmed yet?' })).toContainText(email);
  expect(new URL(page.url()).pathname).toBe('/login');
  await password.fill('turbin');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toast(page, 'Welcome Back')).toBeVisible();
  await page.waitForURL('**/dashboard');
});

test('a confirmation link that was used or is not complete says so, and offers the ways on', async ({ page }) => {
  const email = await registerAndConfirm(instance, page);
  await page.goto(await linkInMailTo(instance, page, email, 'Confirm your email address'));
  await page.getByLabel('Password', { exact: true }).fill(chosenPassword);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await expect(page.getByText('This link was used before')).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${instance.url}/confirm-account`);
  await expect(page.getByText('This link is not complete.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.waitForURL('**/login');
});

test('AUTH-08 AUTH-09 AUTH-10 registration shows the track type to participants only', async ({ page }) => {
  await page.goto(`${instance.url}/register`);
  for (const label of ['First name', 'Last name', 'Email', 'Password', 'Confirm password']) {
    await expect(page.getByLabel(label, { exact: true })).toBeVisible();
  }
  const track = page.getByRole('combobox', { name: 'Program type' });
  await track.click();
  await expect(page.getByRole('option')).toHaveText(['Fellowship', 'Adult Mobilization', 'Self Learner']);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await expect(page.getByRole('option')).toHaveText(['Participant', 'Coach', 'Admin']);
  await page.getByRole('option', { name: 'Coach' }).click();
  await expect(track).toHaveCount(0);
  await expect(page.getByText('An admin approves this role first.')).toBeVisible();
  await expectAccessible(page);

  await fillRegistration(instance, page, newAddress());
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Admin' }).click();
  await expect(track).toHaveCount(0);
  const sent = page.waitForRequest('**/api/auth/sign-up/email');
  await page.getByRole('button', { name: 'Create account' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ requestedRole: 'admin', trackType: null });
});

test('AUTH-11 AUTH-12 AUTH-13 a registration with an empty field, two passwords or a short one is not sent', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  const create = page.getByRole('button', { name: 'Create account' });
  await page.goto(`${instance.url}/register`);
  await create.click();
  for (const error of [
    'Please enter your first name',
    'Please enter your last name',
    'Please enter a valid email address',
    'Please choose a track type',
    'Please repeat your password',
  ]) {
    await expect(page.getByText(error)).toBeVisible();
  }
  await expect(page.getByLabel('First name')).toBeFocused();

  await fillRegistration(instance, page, newAddress());
  for (const label of ['First name', 'Last name', 'Email', 'Password', 'Confirm password']) {
    const field = page.getByLabel(label, { exact: true });
    const value = await field.inputValue();
    await field.fill('');
    await create.click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.fill(value);
  }

  await fillRegistration(instance, page, newAddress(), 'turbin', 'other-turbin');
  await create.click();
  await expect(toast(page, 'Password Mismatch')).toContainText('Passwords do not match');

  await fillRegistration(instance, page, newAddress(), '12345');
  await create.click();
  await expect(toast(page, 'Weak Password')).toContainText('Password must be at least 6 characters long');
  expect(sent).toEqual([]);
});

interface Refusal {
  status: number;
  code: string;
  detail: string;
}

const tooMany = {
  status: 429,
  code: 'too_many_requests',
  detail: 'Too many tries. Please wait 2 minutes and try again.',
};

/** Answers like a refusal of the server. */
function refuseOnWay(page: Page, address: string, refusal: Refusal) {
  const problem = { type: `urn:switchyard:error:${refusal.code}`, title: 'Refused', instance: null, errors: null };
  const body = JSON.stringify({ ...problem, ...refusal });
  return page.route(address, (route) =>
    route.fulfill({ status: refusal.status, contentType: 'application/problem+json', body }),
  );
}

test('AUTH-15 a refused registration shows the reason of the server and keeps what was entered', async ({ page }) => {
  await refuseOnWay(page, '**/api/auth/sign-up/email', tooMany);
  await fillRegistration(instance, page, 'kept@people.example');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(toast(page, 'Registration Failed')).toContainText('Please wait 2 minutes');
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('kept@people.example');
  await expect(page.getByLabel('First name')).toHaveValue('Robin');
});

test('AUTH-18 AUTH-19 AUTH-22 request mode asks for the address and says how long a link works', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await page.goto(`${instance.url}/password-reset`);
  await expect(page.getByText('Reset links expire after 1 hour')).toBeVisible();
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(toast(page, 'Email Required')).toContainText('Please enter your email address');
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
  expect(sent).toEqual([]);
  await expectAccessible(page);
});

test('AUTH-20 a reset that is refused says why, and the address stays', async ({ page }) => {
  await refuseOnWay(page, '**/api/auth/request-password-reset', tooMany);
  await page.goto(`${instance.url}/password-reset`);
  await page.getByLabel('Email', { exact: true }).fill('kept@people.example');
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(toast(page, 'Reset Failed')).toContainText('Please wait 2 minutes');
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('kept@people.example');
});

test('AUTH-20 AUTH-25 AUTH-26 AUTH-27 AUTH-32 AUTH-34 reset mode by query and by hash, its checklist, and a new password', async ({
  page,
}) => {
  const email = await registerAndConfirm(instance, page);
  const { hash } = new URL(await requestReset(instance, page, email));
  for (const missing of ['access_token', 'refresh_token', 'type']) {
    const rest = new URLSearchParams(hash.slice(1));
    rest.delete(missing);
    await page.goto('about:blank');
    await page.goto(`${instance.url}/password-reset#${rest}`);
    await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible();
  }

  for (const part of [`?${hash.slice(1)}`, hash]) {
    await page.goto('about:blank');
    await page.goto(`${instance.url}/password-reset${part}`);
    await expect(toast(page, 'Reset Link Verified')).toBeVisible();
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  }
  const submit = page.getByRole('button', { name: 'Set new password' });
  const met = page.locator('[data-met=true]');
  await expect(met).toHaveCount(0);
  await expect(submit).toBeDisabled();
  for (const [typed, count] of [
    ['T', 1],
    ['Tu', 2],
    ['Tu7', 3],
  ] as const) {
    await page.getByLabel('New password', { exact: true }).press(typed.at(-1) ?? '');
    await expect(met).toHaveCount(count);
  }
  await page.getByLabel('New password', { exact: true }).fill('Turbine7');
  await expect(met).toHaveCount(4);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  await page.getByLabel('New password', { exact: true }).press('Enter');
  await expect(toast(page, 'Password Requirements Not Met')).toContainText(
    'Please ensure your password meets all requirements.',
  );
  await page.getByLabel('New password', { exact: true }).fill('Windpark7!');
  await expect(met).toHaveCount(5);
  await page.getByLabel('Confirm new password').fill('Windpark7!');
  await expect(met).toHaveCount(6);
  await expectAccessible(page);
  expect(sent).toEqual([]);
  await submit.click();
  await expect(toast(page, 'Password Set Successfully')).toBeVisible();
  await page.waitForURL('**/login');
  await signInByForm(page, instance.url, email, 'Windpark7!');
});

test('AUTH-28 AUTH-29 AUTH-30 a link that is invalid, of nobody or broken brings the page back to request mode', async ({
  page,
}) => {
  await page.goto(`${instance.url}/password-reset#access_token=bad&refresh_token=bad&type=recovery`);
  await expect(toast(page, 'Invalid Reset Link')).toContainText('Invalid or expired reset link');
  await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible();
  const nobodys = { status: 404, code: 'not_found', detail: 'No user found for this reset token' };
  await refuseOnWay(page, '**/api/password-links/check', nobodys);
  await page.goto('about:blank');
  await page.goto(`${instance.url}/password-reset#access_token=bad&refresh_token=bad&type=recovery`);
  await expect(toast(page, 'Invalid Reset Link')).toContainText(nobodys.detail);
  await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${instance.url}/password-reset?access_token=bad`);
  await expect(toast(page, 'Invalid Reset Link')).toContainText('No valid reset token found in URL');
});

test('AUTH-36 AUTH-38 set-password checks the link, takes the password and leads to the login screen', async ({
  page,
}) => {
  const email = await registerAndConfirm(instance, page);
  // This is another person, whose session only the browser ends.
  const signedIn = await registerAndConfirm(instance, page);
  const link = await requestReset(instance, page, email);
  await signInByForm(page, instance.url, signedIn, chosenPassword);
  let release = () => undefined as unknown;
  const held = new Promise((resolve) => {
    release = () => resolve(null);
  });
  await page.route('**/api/password-links/check', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(link);
  await expect(page.getByText('Validating your link...')).toBeVisible();
  release();
  await page.getByLabel('New password', { exact: true }).fill('Windpark7!');
  await page.getByLabel('Confirm new password').fill('Windpark7!');
  const waited = millisecondsUntilLogin(page, setPassword.path);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(toast(page, 'Password Set Successfully')).toBeVisible();
  await page.waitForURL('**/login');
  // A browser's timer may fire a fraction of a millisecond early.
  expect(await waited).toBeGreaterThanOrEqual(1999);
  expect(await (await page.request.get(`${instance.url}/api/session`)).json()).toMatchObject({ user: null });
  await signInByForm(page, instance.url, email, 'Windpark7!');
});

test('AUTH-37 AUTH-39 set-password with a used link offers the two ways out, and a failure keeps the form', async ({
  page,
}) => {
  const email = await registerAndConfirm(instance, page);
  const link = await requestReset(instance, page, email);
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill('Windpark7!');
  await page.getByLabel('Confirm new password').fill('Windpark7!');
  const other = await page.context().newPage();
  await other.goto(link);
  await other.getByLabel('New password', { exact: true }).fill('Other-Power-1');
  await other.getByLabel('Confirm new password').fill('Other-Power-1');
  await other.getByRole('button', { name: 'Set new password' }).click();
  await expect(toast(other, 'Password Set Successfully')).toBeVisible();

  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(toast(page, 'Error Setting Password')).toContainText('Invalid or expired reset link');
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('Windpark7!');

  await page.goto('about:blank');
  await page.goto(link);
  await expect(toast(page, 'Invalid Reset Link')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.waitForURL('**/login');
  await page.goto(`${instance.url}/set-password`);
  await expect(toast(page, 'Invalid Reset Link')).toContainText('No valid reset token found in URL');
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await page.waitForURL('**/password-reset');
});
