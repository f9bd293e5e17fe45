import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { changePassword } from '#contract/accounts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { addPasskey, linkWallet, requestPasskey, requestWalletLink } from '#contract/identities.ts';
import { confirmRegistration } from '#contract/registration.ts';
import * as factor from '#contract/second-factor.ts';
import { listSignIns, SignInRecord } from '#contract/sign-in-records.ts';
import * as ways from '#contract/sign-in-ways.ts';
import { buildRegistration } from '#test/factories/registrations.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { newAuthenticator } from '#test/support/authenticator.ts';
import { type OidcServer, startOidcServer } from '#test/support/oidc-server.ts';
import {
  type CookieBrowser,
  codeFor,
  createPerson,
  createProtected,
  openBrowser,
  signInAs,
  wrongCodeFor,
} from '#test/support/second-factor.ts';
import { jobsAreDone, linkInMail, mailsTo, signInWith } from '#test/support/sign-in.ts';
import { newWallet } from '#test/support/wallet.ts';

const publicUrl = 'http://127.0.0.1:9';
let provider: OidcServer;
let server: TestApp;
let stranger: CookieBrowser;

beforeAll(async () => {
  provider = await startOidcServer([`${publicUrl}/api/sign-in/providers/oidc/callback`]);
  const all = { PASSKEYS: '1', WALLET_SIGN_IN: '1', SIGN_IN_BY_MAIL: '1', RATE_LIMIT_FACTOR: '100' };
  server = await startTestApp({ PUBLIC_URL: publicUrl, ...all, ...provider.env });
  await server.runJobs();
  stranger = openBrowser(server);
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

type Kind = SignInRecord['kind'];
type Way = NonNullable<SignInRecord['way']>;

interface Refused {
  way: Way;
  kind?: Kind;
  /** Gets refused. Returns whose account was tried, or null if nobody can know that. */
  tryIt: () => Promise<string | null>;
}

async function refuse(endpoint: Endpoint, body: object, browser: CookieBrowser = stranger): Promise<void> {
  const answer = await browser.send(endpoint, { body });
  expect([401, 404, 409, 422], await answer.clone().text()).toContain(answer.status);
}

async function mailedTo(email: string) {
  await stranger.call(ways.requestMailSignIn, { body: { email } });
  await vi.waitFor(async () => expect(await mailsTo(server.db, email)).not.toHaveLength(0));
  return linkInMail(server.db, email);
}

const tokenOf = (link: URL) => new URLSearchParams(link.hash.slice(1)).get('token') ?? '';

async function withPasskey() {
  const person = await createPerson(server);
  const device = newAuthenticator('127.0.0.1');
  const own = await server.as(person);
  const { options } = await own.call(requestPasskey);
  const response = device.create({ challenge: String(options.challenge), origin: publicUrl });
  await own.call(addPasskey, { body: { name: 'Phone', response } });
  return { person, device };
}

async function answerOf(device: ReturnType<typeof newAuthenticator>, userHandle: string, origin: string) {
  const { options } = await stranger.call(ways.requestPasskeySignIn);
  return { response: device.answer({ challenge: String(options.challenge), origin }, { userHandle }) };
}

async function withWallet() {
  const person = await createPerson(server);
  const wallet = newWallet();
  const own = await server.as(person);
  const { message } = await own.call(requestWalletLink, { body: { address: wallet.address } });
  await own.call(linkWallet, { body: { message, signature: wallet.sign(message) } });
  return { person, wallet };
}

async function identityToken(claims: object) {
  const { nonce } = await stranger.call(ways.requestSignInNonce);
  const now = Math.floor(Date.now() / 1000);
  const whole = { iss: provider.issuer, aud: provider.clientId, iat: now, exp: now + 300, nonce, ...claims };
  return { provider: 'oidc', idToken: await provider.sign(whole) };
}

const refusals: Record<string, Refused> = {
  'a wrong password': {
    way: 'password',
    tryIt: async () => {
      const { id, email } = await createPerson(server);
      await signInWith(server, email, 'not-the-password');
      return id;
    },
  },
  'a wrong password beside a confirmation link': {
    way: 'password',
    tryIt: async () => {
      const { id, email } = await buildRegistration(server);
      await vi.waitFor(async () => expect(await mailsTo(server.db, email)).not.toHaveLength(0));
      const token = tokenOf(await linkInMail(server.db, email));
      await refuse(confirmRegistration, { token, password: 'not-the-password' });
      return id;
    },
  },
  'a wrong mailed code': {
    way: 'mail',
    tryIt: async () => {
      const { id, email } = await createPerson(server);
      await refuse(ways.signInByMailCode, { email, code: '000000' });
      return id;
    },
  },
  'a mailed code for an address without an account': {
    way: 'mail',
    tryIt: async () => {
      await refuse(ways.signInByMailCode, { email: 'nobody-here@people.example', code: '000000' });
      return null;
    },
  },
  'a mailed link that was used': {
    way: 'mail',
    tryIt: async () => {
      const token = tokenOf(await mailedTo((await createPerson(server)).email));
      await openBrowser(server).call(ways.checkMailSignIn, { body: { token } });
      await openBrowser(server).call(ways.signInByMailLink, { body: { token } });
      await refuse(ways.signInByMailLink, { token });
      return null;
    },
  },
  'a mailed link that is looked at and dead': {
    way: 'mail',
    tryIt: async () => {
      await refuse(ways.checkMailSignIn, { token: 'no-such.link' });
      return null;
    },
  },
  'a passkey for another site': {
    way: 'passkey',
    tryIt: async () => {
      const { person, device } = await withPasskey();
      await refuse(ways.signInByPasskey, await answerOf(device, person.id, 'http://127.0.0.1:10'));
      return person.id;
    },
  },
  'a passkey that nobody has': {
    way: 'passkey',
    tryIt: async () => {
      const unknown = newAuthenticator('127.0.0.1');
      await refuse(ways.signInByPasskey, await answerOf(unknown, 'nobody', publicUrl));
      return null;
    },
  },
  'the signature of another wallet': {
    way: 'wallet',
    tryIt: async () => {
      const { person, wallet } = await withWallet();
      const { message } = await stranger.call(ways.requestWalletSignIn, { body: { address: wallet.address } });
      await refuse(ways.signInByWallet, { message, signature: newWallet().sign(message) });
      return person.id;
    },
  },
  'a wallet that is linked to nobody': {
    way: 'wallet',
    tryIt: async () => {
      const wallet = newWallet();
      const { message } = await stranger.call(ways.requestWalletSignIn, { body: { address: wallet.address } });
      await refuse(ways.signInByWallet, { message, signature: wallet.sign(message) });
      return null;
    },
  },
  'an identity token that is none': {
    way: 'provider',
    tryIt: async () => {
      await refuse(ways.signInByIdentityToken, { provider: 'oidc', idToken: 'no.identity.token' });
      return null;
    },
  },
  'an identity that its person unlinked': {
    way: 'provider',
    tryIt: async () => {
      const { id, email } = await createPerson(server);
      await sql`
        insert into auth.unlinked_identity (user_id, provider_id, account_id)
        values (${id}, 'oidc', ${`${provider.issuer}|unlinked`})`.execute(server.db);
      await refuse(ways.signInByIdentityToken, await identityToken({ sub: 'unlinked', email, email_verified: true }));
      return id;
    },
  },
  'a sign-in that the provider refused': {
    way: 'provider',
    tryIt: async () => {
      const browser = openBrowser(server);
      const begun = await browser.send({ ...ways.startProviderSignIn, path: '/api/sign-in/providers/oidc' });
      const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
      const path = `/api/sign-in/providers/oidc/callback?${new URLSearchParams({ state, error: 'server_error' })}`;
      const back = await browser.send({ ...ways.completeProviderSignIn, path });
      expect(back.headers.get('location')).toContain('sign_in_error=failed');
      return null;
    },
  },
  'a wrong second factor': {
    way: 'second_factor',
    tryIt: async () => {
      const { person, secret } = await createProtected(server);
      const browser = await signInAs(server, person);
      await refuse(factor.verifySecondFactor, { given: { kind: 'code', code: wrongCodeFor(secret) } }, browser);
      return person.id;
    },
  },
  'a wrong recovery code': {
    way: 'second_factor',
    tryIt: async () => {
      const { person } = await createProtected(server);
      const given = { kind: 'recovery_code', code: 'aaaa-aaaa-aaaa' };
      await refuse(factor.verifySecondFactor, { given }, await signInAs(server, person));
      return person.id;
    },
  },
  'a wrong code that would turn the second factor on': {
    way: 'second_factor',
    kind: 'refused_proof',
    tryIt: async () => {
      const person = await createPerson(server);
      const browser = await signInAs(server, person);
      const { secret } = await browser.call(factor.enrolSecondFactor, {});
      await refuse(factor.confirmSecondFactor, { code: wrongCodeFor(secret) }, browser);
      return person.id;
    },
  },
  'a wrong code that would turn the second factor off': {
    way: 'second_factor',
    kind: 'refused_proof',
    tryIt: async () => {
      const { person, browser, secret } = await createProtected(server);
      await refuse(factor.turnOffSecondFactor, { given: { kind: 'code', code: wrongCodeFor(secret) } }, browser);
      return person.id;
    },
  },
  'a wrong code as a fresh proof': {
    way: 'second_factor',
    kind: 'refused_proof',
    tryIt: async () => {
      const { person, browser, secret } = await createProtected(server);
      await refuse(factor.giveProof, { kind: 'code', code: wrongCodeFor(secret) }, browser);
      return person.id;
    },
  },
  'a wrong password as a fresh proof': {
    way: 'password',
    kind: 'refused_proof',
    tryIt: async () => {
      const person = await createPerson(server);
      await refuse(factor.giveProof, { kind: 'password', password: 'not-it' }, await signInAs(server, person));
      return person.id;
    },
  },
  'a wrong current password at its change': {
    way: 'password',
    kind: 'refused_proof',
    tryIt: async () => {
      const person = await createPerson(server);
      const body = { currentPassword: 'not-it', newPassword: 'Turbine-Hall-9' };
      await refuse(changePassword, body, await signInAs(server, person));
      return person.id;
    },
  },
  'a wrong mailed code as a fresh proof': {
    way: 'mailed_code',
    kind: 'refused_proof',
    tryIt: async () => {
      const person = await createPerson(server);
      await refuse(factor.giveProof, { kind: 'mailed_code', code: '000000' }, await signInAs(server, person));
      return person.id;
    },
  },
};

interface Stored {
  userId: string | null;
  kind: Kind;
  way: Way;
  ipAddress: string;
  userAgent: string | null;
}

async function storedRefusals(): Promise<Stored[]> {
  await jobsAreDone(server.db, 'refused-sign-in');
  const { rows } = await sql<Stored>`
    select user_id, kind, way, ip_address, user_agent from auth.sign_in_record
    where kind in ('refusal', 'refused_proof') order by id`.execute(server.db);
  return rows;
}

test.each(Object.keys(refusals))('%s is on record, with the way it came', async (name) => {
  const refused = refusals[name];
  if (!refused) throw new Error(`Nobody tries ${name}.`);
  const before = await storedRefusals();
  const userId = await refused.tryIt();
  expect((await storedRefusals()).slice(before.length)).toEqual([
    {
      userId,
      kind: refused.kind ?? 'refusal',
      way: refused.way,
      ipAddress: '127.0.0.1',
      userAgent: expect.any(String),
    },
  ]);
});

test('every way has a refusal here', () => {
  const tried = new Set(Object.values(refusals).map(({ way }) => way));
  expect([...tried].toSorted()).toEqual(SignInRecord.shape.way.unwrap().options.toSorted());
});

test('what comes right, is held off, or was never a try is no refusal; the list shows the address', async () => {
  const before = await storedRefusals();
  const { person, browser, secret } = await createProtected(server);
  await browser.call(factor.giveProof, { body: { kind: 'password', password: person.password } });
  const again = await signInAs(server, person);
  await again.call(factor.verifySecondFactor, { body: { given: { kind: 'code', code: codeFor(secret) } } });
  const plain = await signInAs(server, await createPerson(server));
  await refuse(factor.giveProof, { kind: 'code', code: '000000' }, plain);
  expect(await storedRefusals()).toHaveLength(before.length);
  const own = await again.call(listSignIns);
  expect(own.rows[0]).toMatchObject({ kind: 'proof', way: 'second_factor', address: '127.0.0.1' });
});
