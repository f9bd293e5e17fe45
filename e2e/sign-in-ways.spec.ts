import type { BrowserContext, Page } from '@playwright/test';
import { type OidcServer, startOidcServer } from '../test/support/oidc-server.ts';
import { newWallet } from '../test/support/wallet.ts';
import { expectAccessible } from './axe.ts';
import { startDemoInstance } from './demo-instance.ts';
import { freePort, type Instance } from './instance.ts';
import { demoPassword, expect, pressAsSessionEnds, test } from './support.ts';
import { toast } from './toasts.ts';

let provider: OidcServer;
let instance: Instance;
/** A host name, because browsers refuse passkeys for an IP address. */
let url: string;

test.beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  provider = await startOidcServer([`${url}/api/sign-in/providers/oidc/callback`]);
  instance = await startDemoInstance({
    PORT: String(port),
    PUBLIC_URL: url,
    SIGN_IN_BY_MAIL: '1',
    PASSKEYS: '1',
    WALLET_SIGN_IN: '1',
    OIDC_LABEL: 'Grid College',
    ...provider.env,
  });
});
test.afterAll(async () => {
  await instance.stop();
  await provider.close();
});

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');
}

/** Types a login on the provider's own page and agrees to what Switchyard asks to know. */
async function signInAtProvider(page: Page, sub: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.getByPlaceholder('Enter any login').fill(sub);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** The newest sign-in email in the demo mailbox: its link and its code. */
async function readSignInMail(page: Page, email: string): Promise<{ link: string; code: string }> {
  const newest = page.getByRole('listitem').first().getByRole('link');
  await expect(async () => {
    await page.goto(`${url}/demo/mail?to=${encodeURIComponent(email)}`);
    await expect(newest).toContainText('Sign in to Switchyard', { timeout: 500 });
  }).toPass();
  await newest.click();
  const mail = page.getByRole('article');
  const link = (await mail.getByRole('link').first().getAttribute('href')) ?? '';
  const code = /code on the sign-in page: (\d{6})/.exec((await mail.textContent()) ?? '')?.[1] ?? '';
  return { link, code };
}

/** Adds a device with a fingerprint reader, by the browser's own developer tools. */
async function addVirtualAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const tools = await context.newCDPSession(page);
  await tools.send('WebAuthn.enable');
  await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('AUTH-52 AUTH-63 a person signs in on the pages of a real provider and comes back to the place asked for', async ({
  page,
}) => {
  const email = 'college@provider.example';
  provider.people.set('college', {
    sub: 'college',
    email,
    email_verified: true,
    given_name: 'Cole',
    family_name: 'Lee',
  });
  await page.goto(`${url}/submissions`);
  await page.waitForURL('**/login?next=**');
  await page.getByRole('link', { name: 'Sign in with Grid College' }).click();
  await signInAtProvider(page, 'college');
  await page.waitForURL(`${url}/submissions`);
  const session = await (await page.request.get(`${url}/api/session`)).json();
  expect(session.user).toMatchObject({ email, firstName: 'Cole', role: 'participant' });
});

test('AUTH-63 a person who ends the sign-in at the provider reads why on the login screen', async ({ page }) => {
  await page.goto(`${url}/login`);
  await page.getByRole('link', { name: 'Sign in with Grid College' }).click();
  await page.waitForURL(`${provider.issuer}/**`);
  await page.getByRole('link', { name: /cancel/i }).click();
  await page.waitForURL(`${url}/login?**`);
  await expect(page.getByRole('alert')).toContainText('You ended the sign-in at the other service.');
  await expectAccessible(page);
});

test('AUTH-55 AUTH-56 a link from the mailbox signs in by its button, once; a scanner that opens it does not use it up', async ({
  page,
  openWindow,
}) => {
  const email = 'participant@demo.example';
  await page.goto(`${url}/login?next=%2Fchange-password`);
  await page.getByRole('button', { name: 'Send me a sign-in link' }).press('Enter');
  await expect(page.getByLabel('Email for the sign-in link')).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`If ${email} has an account, an email is on its way.`)).toBeVisible();
  await expect(page.getByLabel('Code from the email')).toHaveAttribute('autocomplete', 'one-time-code');
  await expectAccessible(page);

  const { link } = await readSignInMail(page, email);
  const scanned = await openWindow();
  await scanned.goto(link);
  await expect(scanned.getByRole('button', { name: 'Sign in' })).toBeVisible();

  await page.goto(link);
  await expect(page.getByText(`You are about to sign in as ${email}.`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/change-password');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
});

test('AUTH-55 AUTH-56 a code from the mailbox signs in where it was asked for', async ({ page, context }) => {
  const email = 'coach@demo.example';
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  await page.getByLabel('Email for the sign-in link').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  const { code } = await readSignInMail(await context.newPage(), email);
  await page.getByLabel('Code from the email').fill(code === '111111' ? '222222' : '111111');
  await page.getByRole('button', { name: 'Sign in with the code' }).click();
  await expect(toast(page, 'Sign In Failed')).toContainText('The code is not correct or no longer works.');
  await page.getByLabel('Code from the email').fill(code);
  await page.getByRole('button', { name: 'Sign in with the code' }).click();
  await page.waitForURL('**/dashboard');
});

test('a passkey is added on the device, signs in, is renamed and removed', async ({ pageInNewBrowser: page }) => {
  const context = page.context();
  await addVirtualAuthenticator(context, page);
  await signIn(page, 'admin@demo.example');
  await page.goto(`${url}/account/security`);
  const section = page.getByRole('region', { name: 'Other ways to sign in' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('My phone');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue on the device' }).click();
  await expect(toast(page, 'Passkey Added')).toBeVisible();
  await expect(section.getByText('My phone', { exact: true })).toBeVisible();
  await expectAccessible(page);

  await context.clearCookies();
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/dashboard');
  const session = await (await page.request.get(`${url}/api/session`)).json();
  expect(session.user.email).toBe('admin@demo.example');

  await page.goto(`${url}/account/security`);
  await section.getByRole('button', { name: 'Rename My phone' }).click();
  await page.getByLabel('Name of the passkey').fill('Old phone');
  await page.getByRole('button', { name: 'Rename passkey' }).click();
  await expect(section.getByText('Old phone', { exact: true })).toBeVisible();
  await section.getByRole('button', { name: 'Remove Old phone' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(section.getByText('Old phone', { exact: true })).toBeHidden();
});

test('a person whose session ends signs in again in place by a passkey; a provider would open in another tab', async ({
  pageInNewBrowser: page,
}) => {
  const context = page.context();
  await addVirtualAuthenticator(context, page);
  await signIn(page, 'coach@demo.example');
  await page.goto(`${url}/account/security`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Tablet');
  await page.getByRole('button', { name: 'Continue on the device' }).click();
  await expect(page.getByText('Tablet', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Rename Tablet' }).click();
  await page.getByLabel('Name of the passkey').fill('Typed before the session ended');
  await pressAsSessionEnds(page, page.getByRole('button', { name: 'Rename passkey' }), '**/api/account/passkeys/*');
  const dialog = page.getByRole('dialog', { name: 'Authentication Required' });
  await expect(dialog.getByRole('link', { name: 'Sign in with Grid College in a new tab' })).toHaveAttribute(
    'target',
    '_blank',
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Name of the passkey')).toHaveValue('Typed before the session ended');
  await page.getByRole('button', { name: 'Rename passkey' }).click();
  await expect(page.getByText('Typed before the session ended', { exact: true })).toBeVisible();
});

test('AUTH-64 a provider is linked from the own account, signs in, and is unlinked', async ({ page, context }) => {
  provider.people.set('late', { sub: 'late', email: 'another@provider.example', email_verified: true });
  await signIn(page, 'participant@demo.example');
  await page.goto(`${url}/account/security`);
  await page.getByRole('button', { name: 'Link Grid College' }).click();
  await signInAtProvider(page, 'late');
  await page.waitForURL('**/account/security?linked=1');
  const section = page.getByRole('region', { name: 'Other ways to sign in' });
  await expect(section.getByRole('status', { name: 'Linked', exact: true })).toBeVisible();
  await expectAccessible(page);

  const signedOut = (await context.cookies()).filter(({ name }) => name.startsWith('switchyard'));
  for (const { name } of signedOut) await context.clearCookies({ name });
  await page.goto(`${url}/login`);
  await page.getByRole('link', { name: 'Sign in with Grid College' }).click();
  await page.waitForURL('**/dashboard');
  const session = await (await page.request.get(`${url}/api/session`)).json();
  expect(session.user.email).toBe('participant@demo.example');

  await page.goto(`${url}/account/security`);
  await section.getByRole('button', { name: 'Unlink Grid College' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(section.getByText('Nothing is linked to your account yet.')).toBeVisible();
});

test('AUTH-54 the wallet’s buttons stand only where a wallet is, and a linked wallet signs in', async ({
  pageInNewBrowser: page,
}) => {
  const context = page.context();
  await page.goto(`${url}/login`);
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a wallet' })).toBeHidden();

  const wallet = newWallet();
  await context.exposeFunction('askWallet', (method: string, message: string) =>
    method === 'personal_sign' ? wallet.sign(Buffer.from(message.slice(2), 'hex').toString()) : [wallet.address],
  );
  await context.addInitScript(() => {
    const { askWallet } = window as unknown as { askWallet(method: string, message?: string): Promise<unknown> };
    const request = ({ method, params }: { method: string; params?: string[] }) => askWallet(method, params?.[0] ?? '');
    Object.assign(window, { ethereum: { request } });
  });
  await signIn(page, 'coach@demo.example');
  await page.goto(`${url}/account/security`);
  await page.getByRole('button', { name: 'Link a wallet' }).click();
  await expect(page.getByText(wallet.address.toLowerCase())).toBeVisible();
  await context.clearCookies();
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Sign in with a wallet' }).click();
  await page.waitForURL('**/dashboard');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the other ways to sign in are there for everybody on a phone, ${colorScheme}`, async ({ openWindow }) => {
    const page = await openWindow({ colorScheme, viewport: { width: 360, height: 740 } });
    await page.goto(`${url}/login`);
    const ways = [
      page.getByRole('button', { name: 'Send me a sign-in link' }),
      page.getByRole('link', { name: 'Sign in with Grid College' }),
      page.getByRole('button', { name: 'Sign in with a passkey' }),
    ];
    for (const way of ways) {
      await expect(way).toBeVisible();
      expect((await way.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    await page.getByRole('link', { name: 'Forgot your password?' }).focus();
    for (const way of ways) {
      await page.keyboard.press('Tab');
      await expect(way).toBeFocused();
    }
    await expectAccessible(page);
    await signIn(page, 'participant@demo.example');
    await page.goto(`${url}/account/security`);
    await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
}
