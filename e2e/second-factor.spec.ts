import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { openBody } from '#server/platform/sealed-bodies.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { codeFor, wrongCodeFor } from '../test/support/second-factor.ts';
import { testSecret } from '../test/support/test-secret.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { chosenPassword, demoPassword, expect, signIn, signInByForm, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;
let count = 0;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('ada@admins.example');
});
test.afterAll(() => instance.stop());

async function createPerson(role: 'participant' | 'coach' | 'admin') {
  count += 1;
  const email = `${role}-${count}-${test.info().workerIndex}@factor.example`;
  const person = { email, firstName: 'Sam', lastName: 'Sol', role, trackType: null, password: demoPassword };
  return { email, id: await createSignInWithPassword(instance.db, person) };
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.goto(`${instance.url}/login`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
}

/** Lets a test use several codes within the same 30 seconds. */
async function letCodesWorkAgain(personId: string): Promise<void> {
  await sql`update auth.second_factor set last_step = 0 where user_id = ${personId}`.execute(instance.db);
}

async function ageProof(personId: string): Promise<void> {
  await sql`
    update auth.session set proved_at = now() - interval '1 hour' where user_id = ${personId}`.execute(instance.db);
}

async function readSecret(page: Page): Promise<string> {
  return (await page.getByTestId('secret-key').innerText()).replace(/\s/g, '');
}

/** Leads from the set-up screen to the screen with the second factor on. */
async function completeSetUp(page: Page) {
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const secret = await readSecret(page);
  await page.getByLabel('Code', { exact: true }).fill(codeFor(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('status').getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recoveryCodes = await codes.allInnerTexts();
  await page.getByRole('button', { name: 'I saved them' }).click();
  return { secret, recoveryCodes };
}

async function createProtected(page: Page, role: 'participant' | 'coach' | 'admin' = 'participant') {
  const person = await createPerson(role);
  await signIn(page, instance.url, person.email);
  await page.goto(`${instance.url}/account/security`);
  const factor = await completeSetUp(page);
  await letCodesWorkAgain(person.id);
  return { person, ...factor };
}

test('the second factor is set up with the keyboard alone', async ({ page }) => {
  const { email } = await createPerson('participant');
  await signInByForm(page, instance.url, email);
  // After signing in, the page's heading takes the focus once.
  await expect(async () => {
    await page.getByRole('link', { name: 'Sign-in and Security' }).press('Enter');
    await page.waitForURL('**/account/security', { timeout: 3_000 });
  }).toPass();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign-in and security' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set up a second factor' })).toBeVisible();

  await page.getByRole('button', { name: 'Set up a second factor' }).press('Enter');
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  const secret = await readSecret(page);
  const field = page.getByLabel('Code', { exact: true });
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await expectAccessibleEverywhere(page);

  await page.keyboard.type(wrongCodeFor(secret));
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is not right.')).toBeVisible();
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(codeFor(secret).replace(/(...)/, '$1 '));
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Second Factor Is On')).toBeVisible();
  await expect(page.getByRole('status').getByRole('listitem')).toHaveCount(10);
  await expectAccessibleEverywhere(page);

  await page.getByRole('button', { name: 'I saved them' }).press('Enter');
  await expect(page.getByText('10 recovery codes left.')).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test('signing in asks for the code, also after a reload, and then goes where one wanted to', async ({ page }) => {
  const { person, secret } = await createProtected(page);
  await signOut(page);
  await page.goto(`${instance.url}/preferences/notifications`);
  await page.waitForURL('**/login?next=*');
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expect(toast(page, 'Welcome Back')).toHaveCount(0);
  await page.reload();
  const field = page.getByLabel('Code', { exact: true });
  await expect(field).toBeFocused();
  await expectAccessibleEverywhere(page);

  await field.fill(wrongCodeFor(secret));
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is not right.')).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((code) => navigator.clipboard.writeText(code), codeFor(secret).replace(/(...)/, '$1 '));
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/preferences/notifications');
  await expect(toast(page, 'Welcome Back')).toBeVisible();
});

test('every screen leads back to the code until it is given; going back to the sign-in signs out', async ({ page }) => {
  const { person } = await createProtected(page);
  await signOut(page);
  await enterPassword(page, person.email);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  for (const place of ['/dashboard', '/change-password', '/account/security']) {
    await page.goto(`${instance.url}${place}`);
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
});

test('a recovery code signs in once', async ({ page }) => {
  const { person, recoveryCodes } = await createProtected(page);
  const [code = ''] = recoveryCodes;
  await signOut(page);
  await enterPassword(page, person.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(page.getByLabel('Recovery code', { exact: true })).toBeFocused();
  await expectAccessibleEverywhere(page);
  await page.getByLabel('Recovery code', { exact: true }).fill(code);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  await page.goto(`${instance.url}/account/security`);
  await expect(page.getByText('9 recovery codes left.')).toBeVisible();

  await signOut(page);
  await enterPassword(page, person.email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code', { exact: true }).fill(code);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This recovery code is not right, or was used before.')).toBeVisible();
});

test('a remembered device is not asked again, another one is', async ({ page, openWindow }) => {
  const { person, secret } = await createProtected(page);
  await signOut(page);
  await enterPassword(page, person.email);
  await page.getByLabel('Remember this device for 30 days').check();
  await page.getByLabel('Code', { exact: true }).fill(codeFor(secret));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  await signOut(page);
  await signInByForm(page, instance.url, person.email);
  await page.goto(`${instance.url}/account/security`);
  await expect(page.getByText('One device is remembered.')).toBeVisible();

  const elsewhere = await openWindow();
  await enterPassword(elsewhere, person.email);
  await expect(elsewhere.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
});

test('AUTH-67 the second factor is turned off with a code, after a fresh proof that is asked for once', async ({
  page,
}) => {
  const { person, secret } = await createProtected(page);
  await ageProof(person.id);
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn off the second factor' });
  await expectAccessibleEverywhere(page);
  await dialog.getByLabel('Code', { exact: true }).fill(codeFor(secret));
  await dialog.getByRole('button', { name: 'Turn off second factor' }).click();
  const proof = page.getByRole('dialog', { name: 'Please confirm that it is you' });
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessibleEverywhere(page);
  await page.keyboard.press('Escape');
  await expect(proof).toBeHidden();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Turn off second factor' }).click();
  await proof.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Second Factor Turned Off')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set up a second factor' })).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('an act that needs a fresh proof asks for it and goes on with what was typed', async ({ page }) => {
  const { email, id } = await createPerson('admin');
  await signIn(page, instance.url, email);
  await page.goto(`${instance.url}/admin/create-superadmin`);
  const made = `made-${test.info().workerIndex}@factor.example`;
  await page.getByLabel('First name').fill('Max');
  await page.getByLabel('Last name').fill('Made');
  await page.getByLabel('Email', { exact: true }).fill(made);
  await page.getByLabel('Password', { exact: true }).fill(chosenPassword);
  await page.getByLabel('Confirm password').fill(chosenPassword);
  await ageProof(id);
  const submit = page.getByRole('button', { name: /create/i }).last();
  await submit.click();
  const proof = page.getByRole('dialog', { name: 'Please confirm that it is you' });
  await expect(proof.getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessibleEverywhere(page);

  await proof.getByRole('button', { name: 'Cancel' }).click();
  await expect(proof).toBeHidden();
  expect(await isThere(made)).toBe(false);
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(made);

  await submit.click();
  await proof.getByLabel('Password', { exact: true }).fill('Not-My-Password-1');
  await page.keyboard.press('Enter');
  await expect(proof.getByText('The password is not correct.')).toBeVisible();
  await proof.getByRole('button', { name: 'Email me a code' }).click();
  await expect(toast(page, 'Code Sent')).toBeVisible();
  await proof.getByLabel('Code from the email').fill(await mailedCode(email));
  await expectAccessibleEverywhere(page);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof).toBeHidden();
  await expect.poll(() => isThere(made)).toBe(true);
});

async function isThere(email: string): Promise<boolean> {
  const found = await sql`select from auth."user" where email = ${email}`.execute(instance.db);
  return found.rows.length > 0;
}

async function mailedCode(email: string): Promise<string> {
  const mail = await instance.db
    .selectFrom('deliveries')
    .select(['id', 'isSealed', 'textBody', 'htmlBody'])
    .where('address', '=', email)
    .where('kind', '=', 'proof_code')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return /\b\d{6}\b/.exec(openBody([testSecret], mail).text)?.[0] ?? '';
}

test('an admin requires it for coaches: a coach who has none is led to the set-up and goes on after it', async ({
  page,
  openWindow,
}) => {
  const coach = await createPerson('coach');
  const coachPage = await openWindow();
  await signInByForm(coachPage, instance.url, coach.email);

  await signIn(page, instance.url, 'ada@admins.example');
  await page.goto(`${instance.url}/account/security`);
  // The product asks admins by default. A saved rule takes effect at once, even for the admin who saves it.
  await page.getByRole('checkbox', { name: 'All admins', checked: true }).uncheck();
  await page.getByLabel('All coaches').check();
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect(toast(page, 'Rule Saved')).toBeVisible();

  const note = coachPage.getByRole('alert').filter({ hasText: 'Your role needs a second factor now' });
  await expect(note).toBeVisible();
  await expectAccessibleEverywhere(coachPage);
  await coachPage.setViewportSize({ width: 360, height: 740 });
  // Two lines and the space around them.
  await expect.poll(async () => (await note.boundingBox())?.height).toBeLessThan(72);
  await coachPage.setViewportSize({ width: 1280, height: 720 });
  await expect.poll(async () => (await note.boundingBox())?.height).toBeLessThan(48);
  await coachPage.getByRole('link', { name: 'Submissions' }).click();
  await coachPage.waitForURL('**/account/security');
  await expect(coachPage.getByText('Your role needs a second factor')).toBeVisible();
  await expectAccessibleEverywhere(coachPage);
  await coachPage.goto(`${instance.url}/submissions`);
  await coachPage.waitForURL('**/account/security');
  await completeSetUp(coachPage);
  await expect(coachPage.getByText('so it stays on')).toBeVisible();
  await coachPage.getByRole('link', { name: 'Submissions' }).click();
  await coachPage.waitForURL('**/submissions');
  await expect(coachPage.getByRole('heading', { level: 1 })).toBeVisible();

  await page.getByLabel('All coaches').uncheck();
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect(page.getByLabel('All coaches')).not.toBeChecked();
});

test('an admin lets somebody back in who lost phone and recovery codes', async ({ page, openWindow }) => {
  const ownPage = await openWindow();
  const { person } = await createProtected(ownPage);
  await signIn(page, instance.url, 'ada@admins.example');
  await page.goto(`${instance.url}/account/security`);
  const remove = page.getByRole('button', { name: 'Remove second factor' });
  await remove.click();
  await expect(page.getByText('Please enter their email address')).toBeVisible();
  await page.getByLabel('Their email').fill(person.email);
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Remove second factor' });
  await expect(dialog.getByText(person.email)).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove second factor' }).click();
  await expect(toast(page, 'Second Factor Removed')).toBeVisible();
  await signInByForm(ownPage, instance.url, person.email);
});
