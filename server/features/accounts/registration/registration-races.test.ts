import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAdminUser } from '#contract/documented-functions.ts';
import { register } from '#contract/registration.ts';
import { queueMail, sealMail } from '#server/platform/mailer.ts';
import { confirmationMail } from '#server/sign-in/sign-in-mails.ts';
import { makeRoomFor } from '#server/sign-in/unconfirmed-registrations.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildRegistration } from '#test/factories/registrations.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { countWaiting } from '#test/support/waiting-statements.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('a person who registers an address again while its unconfirmed account is removed gets a new account and its mail', async () => {
  const { id, ...registration } = await buildRegistration(server);
  const visitor = await server.as(null);
  const { again } = await server.db.transaction().execute(async (db) => {
    await makeRoomFor(db, null, [registration.email]);
    const again = visitor.call(register, { body: registration });
    await somebodyWaits();
    return { again };
  });
  expect((await again).user.email).toBe(registration.email);
  const after = await profileOf(registration.email);
  expect(after?.id).not.toBe(id);
  const mails = server.db
    .selectFrom('deliveries')
    .select('kind')
    .where('recipientId', '=', after?.id ?? '');
  expect(await mails.execute()).toEqual([{ kind: 'confirm_email' }]);
});

test('an unconfirmed account is removed while a mail to it is written', async () => {
  const registration = await buildRegistration(server);
  const reader = await profileOf(registration.email);
  if (!reader) throw new Error('Nobody was registered.');
  const admin = await server.as(await buildAdmin(server.db));
  const { made } = await server.db.transaction().execute(async (db) => {
    const mail = confirmationMail(reader, 'https://switchyard.example/confirm');
    await queueMail(db, sealMail(server.app.secrets, mail));
    const body = { email: registration.email, password: 'Sunny-Grid-2026!', firstName: 'Ada', lastName: 'Admin' };
    const made = admin.call(createAdminUser, { body });
    await somebodyWaits();
    return { made };
  });
  expect(await made).toEqual({ success: true, error: null });
  expect((await profileOf(registration.email))?.role).toBe('admin');
});

function profileOf(email: string) {
  return server.db
    .selectFrom('profiles')
    .select(['id', 'email', 'firstName', 'role'])
    .where('email', '=', email)
    .executeTakeFirst();
}

async function somebodyWaits(): Promise<void> {
  await vi.waitFor(async () => expect(await countWaiting(server.db)).toBeGreaterThan(0), 20_000);
}
