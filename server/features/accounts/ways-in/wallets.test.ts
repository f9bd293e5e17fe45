import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { createMessage, parseMessage } from 'ox/Siwe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { linkWallet, listWaysIn, requestWalletLink } from '#contract/identities.ts';
import { requestWalletSignIn, signInByWallet } from '#contract/sign-in-ways.ts';
import { buildPerson } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { killServerProcesses, startServerProcess } from '#test/support/server-process.ts';
import { mailsTo, sessionOf } from '#test/support/sign-in.ts';
import { confirmSecondFactor, post } from '#test/support/sign-in-ways.ts';
import { newWallet, type TestWallet } from '#test/support/wallet.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ WALLET_SIGN_IN: '1', PUBLIC_URL: 'https://switchyard.example' });
});
afterAll(async () => {
  killServerProcesses();
  await server.close();
});

async function messageFor({ address }: TestWallet): Promise<string> {
  return (await (await server.as(null)).call(requestWalletSignIn, { body: { address } })).message;
}

function signIn(message: string, signature: string) {
  return post(server, signInByWallet, { message, signature });
}

async function expectRefused(message: string, signature: string): Promise<void> {
  const answer = await signIn(message, signature);
  expect([answer.status, (await problemOf(answer)).code, answer.cookie]).toEqual([401, 'not_authenticated', '']);
}

async function personWithWallet() {
  const person = await buildPerson(server.db);
  const wallet = newWallet();
  const client = await server.as(person);
  const { message } = await client.call(requestWalletLink, { body: { address: wallet.address } });
  await client.call(linkWallet, { body: { message, signature: wallet.sign(message) } });
  return { person, wallet, client };
}

/** Changes parts of the message, as somebody else's site would. */
function altered(message: string, changes: Partial<ReturnType<typeof parseMessage>>): string {
  return createMessage({ ...parseMessage(message), ...changes } as Parameters<typeof createMessage>[0]);
}

test('AUTH-54 AUTH-64 a linked wallet signs in with a signed message, once; linking is told and recorded', async () => {
  const { person, wallet, client } = await personWithWallet();
  expect((await client.call(listWaysIn)).identities).toMatchObject([
    { label: 'Wallet', account: wallet.address.toLowerCase() },
  ]);
  expect((await mailsTo(server.db, person.email))[0]?.textBody).toContain(`the wallet ${wallet.address}`);
  const audited = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', person.id).execute();
  expect(audited).toMatchObject([{ action: 'identity.link', actorId: person.id, after: { provider: 'wallet' } }]);

  const message = await messageFor(wallet);
  expect(parseMessage(message)).toMatchObject({
    domain: 'switchyard.example',
    uri: 'https://switchyard.example',
    chainId: 1,
    version: '1',
    address: wallet.address,
  });
  const nonce = parseMessage(message).nonce ?? '';
  expect(JSON.stringify(await server.db.selectFrom('auth.verification').selectAll().execute())).not.toContain(nonce);
  const answer = await signIn(message, wallet.sign(message));
  expect(await answer.json()).toEqual({ done: true });
  expect((await sessionOf(server, { cookie: answer.cookie })).user?.id).toBe(person.id);
  await expectRefused(message, wallet.sign(message));
});

test('a wallet that is linked to nobody signs nobody in and makes no account', async () => {
  const wallet = newWallet();
  const before = await server.db.selectFrom('auth.user').select('id').execute();
  const message = await messageFor(wallet);
  await expectRefused(message, wallet.sign(message));
  expect(await server.db.selectFrom('auth.user').select('id').execute()).toHaveLength(before.length);
});

test('AUTH-54 a message for another domain, address or network is refused', async () => {
  const { wallet } = await personWithWallet();
  for (const changes of [
    { domain: 'evil.example' },
    { uri: 'https://evil.example' },
    { chainId: 137 },
    { domain: 'switchyard.example.evil.example' },
  ]) {
    const message = altered(await messageFor(wallet), changes);
    await expectRefused(message, wallet.sign(message));
  }
  const other = newWallet();
  const message = await messageFor(wallet);
  await expectRefused(message, other.sign(message));
  const claimed = altered(await messageFor(other), { address: wallet.address as `0x${string}` });
  await expectRefused(claimed, other.sign(claimed));
});

test('AUTH-54 a signature of another message, or no signature, is refused', async () => {
  const { wallet } = await personWithWallet();
  await expectRefused(await messageFor(wallet), wallet.sign(await messageFor(wallet)));
  await expectRefused(await messageFor(wallet), `0x${'00'.repeat(65)}`);
  await expectRefused(await messageFor(wallet), `0x${'ff'.repeat(65)}`);
  const extended = `${await messageFor(wallet)}\nResources:\n- https://evil.example`;
  await expectRefused(extended, wallet.sign(await messageFor(wallet)));
});

test('AUTH-54 a message that is too old, or whose nonce is not ours, is refused', async () => {
  const { wallet } = await personWithWallet();
  const made = altered(await messageFor(wallet), { nonce: 'abcdef0123456789' });
  await expectRefused(made, wallet.sign(made));
  const early = altered(await messageFor(wallet), { issuedAt: new Date(Date.now() - 3_600_000) });
  await expectRefused(early, wallet.sign(early));
  const endless = altered(await messageFor(wallet), { expirationTime: undefined });
  await expectRefused(endless, wallet.sign(endless));

  const late = await messageFor(wallet);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  await expectRefused(late, wallet.sign(late));
  vi.useRealTimers();
  await sql`update auth.verification set expires_at = now()`.execute(server.db);
  await expectRefused(late, wallet.sign(late));
});

test('a message for linking does not sign in, nor link to somebody else', async () => {
  const { client, wallet } = await personWithWallet();
  const linking = await client.call(requestWalletLink, { body: { address: wallet.address } });
  await expectRefused(linking.message, wallet.sign(linking.message));

  const thief = await server.as(await buildPerson(server.db));
  const free = newWallet();
  const { message } = await client.call(requestWalletLink, { body: { address: free.address } });
  const signed = { message, signature: free.sign(message) };
  expect((await thief.refused(linkWallet, { body: signed })).status).toBe(401);
  const signInMessage = await messageFor(free);
  const wrong = { message: signInMessage, signature: free.sign(signInMessage) };
  expect((await thief.refused(linkWallet, { body: wrong })).status).toBe(401);
});

test('a wallet that is linked to somebody is not linked to another', async () => {
  const { wallet } = await personWithWallet();
  const other = await server.as(await buildPerson(server.db));
  const { message } = await other.call(requestWalletLink, { body: { address: wallet.address } });
  const { problem } = await other.refused(linkWallet, { body: { message, signature: wallet.sign(message) } });
  expect(problem).toMatchObject({ code: 'conflict', detail: 'This wallet is linked to another account already.' });
});

test('a wallet gives no access to somebody with a second factor', async () => {
  const { person, wallet } = await personWithWallet();
  await confirmSecondFactor(server.db, person.id);
  const message = await messageFor(wallet);
  const { status, cookie } = await signIn(message, wallet.sign(message));
  expect(status).toBe(200);
  expect((await sessionOf(server, { cookie })).user).toBeNull();
  expect((await fetch(`${server.url}${listWaysIn.path}`, { headers: { cookie } })).status).toBe(401);
});

test('an instance that did not switch wallets on says so', async () => {
  const off = await openTestApp(server.connectionString, {});
  const { address } = newWallet();
  const signed = { message: 'any', signature: `0x${'00'.repeat(65)}` };
  expect((await post(off, requestWalletSignIn, { address })).status).toBe(503);
  const answer = await post(off, signInByWallet, signed);
  expect(await answer.json()).toMatchObject({ code: 'not_configured' });
  const client = await off.as(await buildPerson(server.db));
  expect((await client.refused(requestWalletLink, { body: { address } })).problem.code).toBe('not_configured');
  expect((await client.refused(linkWallet, { body: signed })).problem.code).toBe('not_configured');
  expect((await client.call(readSession)).instance.signInProviders).toEqual([]);
  await off.close();
});

/** Node runs it before the product. It names every module that is loaded from then on. */
const nameLoadedModules = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      appendFileSync(process.env.LOADED_MODULES, url + '\\n');
      return next(url, context);
    },
  });`;

test.each([
  ['not loaded where no wallets are offered', '0', 503, false],
  ['loaded where somebody uses one', '1', 200, true],
])('the package for wallets is %s', async (_, setting, status, isLoaded) => {
  const names = path.join(server.app.config.dataDir, `loaded-modules-${setting}`);
  const [url] = await startServerProcess(server, {
    WALLET_SIGN_IN: setting,
    LOADED_MODULES: names,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(nameLoadedModules)}`,
  });
  const loaded = () => readFileSync(names, 'utf8');
  expect(loaded()).toContain('/server/features/accounts/ways-in/wallets.ts');
  expect(loaded()).not.toContain('/node_modules/ox/');
  const answer = await fetch(`${url}${requestWalletSignIn.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: newWallet().address }),
  });
  expect(answer.status).toBe(status);
  expect(loaded().includes('/node_modules/ox/')).toBe(isLoaded);
});
