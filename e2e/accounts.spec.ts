import type { Page } from '@playwright/test';
import { type Instance, startInstance } from './instance.ts';
import { demoPassword, expect, expectAccessible, signIn, test } from './support.ts';

const guessable = 'This password is one of the most used ones and is guessed at once.';

let instance: Instance;
let count = 0;

test.beforeAll(async () => {
  instance = await startInstance({ DEMO: '1' });
});
test.afterAll(() => instance.stop());

function newAddress(): string {
  count += 1;
  return `person-${count}-${test.info().workerIndex}@people.example`;
}

function toast(page: Page, title: string) {
  return page.locator('[data-toast]').filter({ hasText: title });
}

async function fillRegistration(page: Page, email: string, password = 'turbin', confirmation = password) {
  await page.goto(`${instance.url}/register`);
  await page.getByLabel('First name').fill('Robin');
  await page.getByLabel('Last name').fill('Reyes');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('combobox', { name: 'Track type' }).click();
  await page.getByRole('option', { name: 'Fellowship' }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(confirmation);
}

/** The link in the newest mail to an address, of this subject, on the address at which the instance listens. */
async function linkInMailTo(page: Page, email: string, subject: string): Promise<string> {
  const newest = page.getByRole('listitem').first().getByRole('link');
  // A job writes it down after the answer.
  await expect(async () => {
    await page.goto(`${instance.url}/demo/mail?to=${encodeURIComponent(email)}`);
    await expect(newest).toContainText(subject, { timeout: 500 });
  }).toPass();
  await newest.click();
  const href = await page.getByRole('article').getByRole('link').first().getAttribute('href');
  const link = new URL(href ?? '');
  return `${instance.url}${link.pathname}${link.search}${link.hash}`;
}

async function registerAndConfirm(page: Page): Promise<string> {
  const email = newAddress();
  await fillRegistration(page, email, demoPassword);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/login');
  await page.goto(await linkInMailTo(page, email, 'Confirm your e-mail address'));
  await page.waitForURL('**/login?confirmed=1');
  return email;
}

async function requestReset(page: Page, email: string): Promise<string> {
  await page.goto(`${instance.url}/password-reset`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(toast(page, 'Reset Email Sent')).toBeVisible();
  return linkInMailTo(page, email, 'Set a new password');
}

/** How long the page, by its own clock, shows a toast before it is the login screen. */
function millisecondsUntilLogin(page: Page, title: string): Promise<number> {
  return page.evaluate(
    (words) =>
      new Promise<number>((resolve) => {
        let shownAt = 0;
        const observer = new MutationObserver(() => {
          if (shownAt === 0 && document.body.textContent.includes(words)) shownAt = performance.now();
          if (shownAt === 0 || location.pathname !== '/login') return;
          observer.disconnect();
          resolve(performance.now() - shownAt);
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    title,
  );
}

test('AUTH-01 AUTH-02 AUTH-03 AUTH-04 the login screen has its fields, a toggle for the password and its two links', async ({
  page,
}) => {
  await page.goto(`${instance.url}/login`);
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('readable');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show or hide what is typed' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Show or hide what is typed' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await expectAccessible(page);
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
  await fillRegistration(page, email);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL('**/login');
  await expect(toast(page, 'Registration Successful')).toContainText('check your e-mail');

  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('turbin');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toast(page, 'Sign In Failed')).toContainText('Please confirm your e-mail address first');
  await expect(page.getByText('Confirm your e-mail address first', { exact: true })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/login');

  await page.goto(await linkInMailTo(page, email, 'Confirm your e-mail address'));
  await expect(page.getByText('E-mail address confirmed')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toast(page, 'Sign In Failed')).toContainText('Invalid e-mail or password.');
  expect(new URL(page.url()).pathname).toBe('/login');

  await page.getByLabel('Password', { exact: true }).fill('turbin');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toast(page, 'Welcome Back')).toBeVisible();
  await page.waitForURL('**/dashboard');
});

test('AUTH-08 AUTH-09 AUTH-10 registration shows the track type to participants only', async ({ page }) => {
  await page.goto(`${instance.url}/register`);
  for (const label of ['First name', 'Last name', 'Email', 'Password', 'Confirm password']) {
    await expect(page.getByLabel(label, { exact: true })).toBeVisible();
  }
  const track = page.getByRole('combobox', { name: 'Track type' });
  await track.click();
  await expect(page.getByRole('option')).toHaveText(['Fellowship', 'Adult Mobilization', 'Self Learner']);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await expect(page.getByRole('option')).toHaveText(['Participant', 'Coach', 'Admin']);
  await page.getByRole('option', { name: 'Coach' }).click();
  await expect(track).toHaveCount(0);
  await expect(page.getByText('An admin approves this role first.')).toBeVisible();
  await expectAccessible(page);
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
    'Please enter a valid e-mail address',
    'Please choose a track type',
    'Please repeat your password',
  ]) {
    await expect(page.getByText(error)).toBeVisible();
  }
  await expect(page.getByLabel('First name')).toBeFocused();

  await fillRegistration(page, newAddress(), 'turbin', 'other-turbin');
  await create.click();
  await expect(toast(page, 'Password Mismatch')).toContainText('Passwords do not match');

  await fillRegistration(page, newAddress(), '12345');
  await create.click();
  await expect(toast(page, 'Weak Password')).toContainText('Password must be at least 6 characters long');
  expect(sent).toEqual([]);
});

test('AUTH-15 a refused registration shows the reason of the server and keeps what was entered', async ({ page }) => {
  await page.route('**/api/auth/sign-up/email', (route) =>
    route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'urn:switchyard:error:too_many_requests',
        title: 'Too many requests',
        status: 429,
        code: 'too_many_requests',
        detail: 'Too many tries. Please wait 2 minutes and try again.',
        instance: null,
        errors: null,
      }),
    }),
  );
  await fillRegistration(page, 'kept@people.example');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(toast(page, 'Registration Failed')).toContainText('Please wait 2 minutes');
  await expect(page.getByLabel('Email')).toHaveValue('kept@people.example');
  await expect(page.getByLabel('First name')).toHaveValue('Robin');
});

test('AUTH-18 AUTH-19 AUTH-22 request mode asks for the address and says how long a link works', async ({ page }) => {
  await page.goto(`${instance.url}/password-reset`);
  await expect(page.getByText('Reset links expire after 1 hour')).toBeVisible();
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(toast(page, 'Email Required')).toContainText('Please enter your email address');
  await expect(page.getByLabel('Email')).toBeFocused();
  await expectAccessible(page);
});

test('AUTH-20 AUTH-25 AUTH-26 AUTH-27 AUTH-32 AUTH-34 reset mode by query and by hash, its checklist, and a new password', async ({
  page,
}) => {
  const email = await registerAndConfirm(page);
  const { hash } = new URL(await requestReset(page, email));
  await page.goto(`${instance.url}/password-reset${hash.replace('&type=recovery', '')}`);
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();

  for (const part of [`?${hash.slice(1)}`, hash]) {
    await page.goto('about:blank');
    await page.goto(`${instance.url}/password-reset${part}`);
    await expect(toast(page, 'Reset Link Verified')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(email);
  }
  const submit = page.getByRole('button', { name: 'Set new password' });
  const met = page.locator('[data-met=true]');
  await expect(met).toHaveCount(0);
  await expect(submit).toBeDisabled();
  await page.getByLabel('New password', { exact: true }).fill('Turbine7');
  await expect(met).toHaveCount(4);
  await page.getByLabel('New password', { exact: true }).press('Enter');
  await expect(toast(page, 'Password Requirements Not Met')).toContainText(
    'Please ensure your password meets all requirements.',
  );
  await page.getByLabel('New password', { exact: true }).fill('Abcdefg1!');
  await expect(met).toHaveCount(5);
  await page.getByLabel('Confirm new password').fill('Abcdefg1!');
  await expect(met).toHaveCount(6);
  await expectAccessible(page);
  await submit.click();
  await expect(toast(page, 'Password Set Successfully')).toBeVisible();
  await page.waitForURL('**/login');
  await signIn(page, instance.url, email, 'Abcdefg1!');
});

test('AUTH-28 AUTH-30 a link that is invalid or broken brings the page back to request mode', async ({ page }) => {
  await page.goto(`${instance.url}/password-reset#access_token=bad&refresh_token=bad&type=recovery`);
  await expect(toast(page, 'Invalid Reset Link')).toContainText('Invalid or expired reset link');
  await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible();
  await page.goto('about:blank');
  await page.goto(`${instance.url}/password-reset?access_token=bad`);
  await expect(toast(page, 'Invalid Reset Link')).toContainText('No valid reset token found in URL');
});

test('AUTH-36 AUTH-38 set-password checks the link, takes the password and leads to the login screen', async ({
  page,
}) => {
  const email = await registerAndConfirm(page);
  const link = await requestReset(page, email);
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
  await page.getByLabel('New password', { exact: true }).fill('Abcdefg1!');
  await page.getByLabel('Confirm new password').fill('Abcdefg1!');
  const shownFor = millisecondsUntilLogin(page, 'Password Set Successfully');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(toast(page, 'Password Set Successfully')).toBeVisible();
  await page.waitForURL('**/login');
  expect(await shownFor).toBeGreaterThanOrEqual(1990);
  await signIn(page, instance.url, email, 'Abcdefg1!');
});

test('AUTH-37 AUTH-39 set-password with a used link offers the two ways out, and a failure keeps the form', async ({
  page,
}) => {
  const email = await registerAndConfirm(page);
  const link = await requestReset(page, email);
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill('Abcdefg1!');
  await page.getByLabel('Confirm new password').fill('Abcdefg1!');
  const other = await page.context().newPage();
  await other.goto(link);
  await other.getByLabel('New password', { exact: true }).fill('Other-Power-1');
  await other.getByLabel('Confirm new password').fill('Other-Power-1');
  await other.getByRole('button', { name: 'Set new password' }).click();
  await expect(toast(other, 'Password Set Successfully')).toBeVisible();

  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(toast(page, 'Error Setting Password')).toContainText('Invalid or expired reset link');
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('Abcdefg1!');

  await page.goto('about:blank');
  await page.goto(link);
  await expect(toast(page, 'Invalid Reset Link')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to login' }).click();
  await page.waitForURL('**/login');
  await page.goto(`${instance.url}/set-password`);
  await expect(toast(page, 'Invalid Reset Link')).toContainText('No valid reset token found in URL');
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await page.waitForURL('**/password-reset');
});

test('AUTH-35 AUTH-39 a password that the server refuses is named at its field, and the link stays usable', async ({
  page,
}) => {
  const email = await registerAndConfirm(page);
  const { hash } = new URL(await requestReset(page, email));
  const next = page.getByLabel('New password', { exact: true });
  for (const [path, title] of [
    ['/password-reset', 'Password Update Failed'],
    ['/set-password', 'Error Setting Password'],
  ]) {
    await page.goto('about:blank');
    await page.goto(`${instance.url}${path}${hash}`);
    await next.fill('P@ssw0rd');
    await page.getByLabel('Confirm new password').fill('P@ssw0rd');
    await page.getByRole('button', { name: 'Set new password' }).click();
    await expect(toast(page, title ?? '')).toContainText(guessable);
    await expect(next).toHaveAttribute('aria-invalid', 'true');
    await expect(next).toHaveAccessibleDescription(new RegExp(guessable));
    await expect(next).toBeFocused();
    await expect(next).toHaveValue('P@ssw0rd');
  }
});

test('AUTH-44 whose clock is more than two minutes off is warned once', async ({ page }) => {
  await signIn(page, instance.url, 'participant@demo.example');
  const warning = toast(page, 'Your clock is off');
  for (const [seconds, warnings] of [
    [-110, 0],
    [130, 1],
    [-130, 1],
  ] as const) {
    await page.clock.setFixedTime(new Date(Date.now() + seconds * 1000));
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(warning).toHaveCount(warnings);
  }
});

test('every password field says what a password manager is to do, and takes what is pasted', async ({ page }) => {
  const email = await registerAndConfirm(page);
  const link = new URL(await requestReset(page, email));
  const screens: [string, string[]][] = [
    ['/login', ['username', 'current-password']],
    ['/register', ['given-name', 'family-name', 'email', 'new-password', 'new-password']],
    [`/set-password${link.hash}`, ['username', 'new-password', 'new-password']],
    ['/first-admin', ['given-name', 'family-name', 'email', 'new-password', 'new-password']],
  ];
  for (const [address, wanted] of screens) {
    await page.goto('about:blank');
    await page.goto(`${instance.url}${address}`);
    await expect(page.locator('form')).toBeVisible();
    const found = page.locator('form input[autocomplete]:not([autocomplete=off]):not([type=hidden])');
    await expect
      .poll(() => found.evaluateAll((fields) => fields.map((one) => one.getAttribute('autocomplete'))))
      .toEqual(wanted);
    const isTaken = await page
      .locator('form input[type=password]')
      .evaluateAll((fields) =>
        fields.every((one) => one.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }))),
      );
    expect(isTaken).toBe(true);
  }
});

test('PWD-01 PWD-02 PWD-03 PWD-06 PWD-07 PWD-08 PWD-10 PWD-11 ERR1-08 changing the own password', async ({ page }) => {
  const email = await registerAndConfirm(page);
  await signIn(page, instance.url, email);
  await page.goto(`${instance.url}/change-password`);
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/account/password')) sent.push(request.method());
  });
  const submit = page.getByRole('button', { name: 'Change password' });
  const fill = async (current: string, next: string, confirmation: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('Confirm new password').fill(confirmation);
  };
  await fill('', 'Turbine7', 'Turbine7');
  await expect(submit).toBeDisabled();
  await fill(demoPassword, 'abcdefgh', 'abcdefgh');
  await submit.click();
  await expect(toast(page, 'Password Requirements Not Met')).toBeVisible();
  await expect(toast(page, 'Weak Password')).toContainText('Please meet every requirement of the list.');
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await fill(demoPassword, 'Turbine7', 'Turbine8');
  await submit.click();
  await expect(toast(page, 'Password Mismatch')).toContainText('Both passwords must be the same.');
  await expect(toast(page, 'Password Requirements Not Met')).toHaveCount(2);
  await expect(page.getByLabel('Confirm new password')).toBeFocused();
  expect(sent).toEqual([]);
  await fill('not-it', 'Turbine7', 'Turbine7');
  await submit.click();
  await expect(toast(page, 'Error Changing Password')).toContainText('The current password is not correct.');
  await expect(page.getByLabel('Current password')).toBeFocused();
  await fill(demoPassword, 'P@ssw0rd', 'P@ssw0rd');
  await submit.click();
  await expect(toast(page, 'Error Changing Password').filter({ hasText: guessable })).toBeVisible();
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await expectAccessible(page);
  await fill(demoPassword, 'Turbine7', 'Turbine7');
  await submit.click();
  await expect(toast(page, 'Password Updated Successfully')).toBeVisible();
  await page.waitForURL('**/dashboard');

  await page.goto(`${instance.url}/change-password`);
  await page.getByRole('link', { name: 'Back to dashboard' }).click();
  await page.waitForURL('**/dashboard');
});

test('the first admin of an empty instance comes in by the address in its log', async ({ page }) => {
  const empty = await startInstance({ DEMO: '0' });
  await expect.poll(() => empty.output()).toMatch(/first-admin#token=/);
  const token = /first-admin(#token=\S+)/.exec(empty.output())?.[1];
  await page.goto(`${empty.url}/first-admin${token}`);
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Admin');
  await page.getByLabel('Email').fill('ada@people.example');
  await page.getByLabel('Password', { exact: true }).fill('turbineq');
  await page.getByLabel('Confirm password').fill('turbineq');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create admin' }).click();
  await expect(toast(page, 'Admin Created')).toBeVisible();
  await signIn(page, empty.url, 'ada@people.example', 'turbineq');
  await empty.stop();
});
