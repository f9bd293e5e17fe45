import { changePassword, setPassword } from '#contract/accounts.ts';
import { makeCalendarFeed, renewCalendarFeed, stopCalendarFeed } from '#contract/calendar-feeds.ts';
import { syncAuthProfiles } from '#contract/documented-functions.ts';
import {
  addPasskey,
  linkWallet,
  removePasskey,
  renamePasskey,
  requestPasskey,
  requestWalletLink,
} from '#contract/identities.ts';
import { changeOwnNames, confirmEmailChange, requestEmailChange } from '#contract/own-details.ts';
import { confirmRegistration } from '#contract/registration.ts';
import { renewRecoveryCodes, turnOffSecondFactor } from '#contract/second-factor.ts';
import { endOtherSessions } from '#contract/sessions.ts';
import { accountMailJob } from '#server/features/accounts/account-mails.ts';
import { closeDemoAccounts } from '#server/features/accounts/registration/demo-closing.ts';
import type { AuditAction } from '#server/platform/audit-actions.ts';
import { newId } from '#server/platform/ids.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { sealAddress } from '#server/sign-in/sealed-addresses.ts';
import { createSignIns, createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildParticipant } from '../factories/people.ts';
import { buildRegistration } from '../factories/registrations.ts';
import type { Client, TestApp } from './app.ts';
import { type AuditedAct, byCall, type Told } from './audited-calls.ts';
import { newAuthenticator } from './authenticator.ts';
import { codeFor, createPerson, createProtected, signInAs } from './second-factor.ts';
import { linkInMail } from './sign-in.ts';
import { newWallet } from './wallet.ts';

/** Acts of people on their own accounts, and acts on accounts as such. */
export const auditedAccounts = {
  'admin.create': byCall('createAdminUser', async ({ sent, world }) => ({
    subjectId: await idOf(world.server, String(sent.email)),
    after: { email: sent.email, role: 'admin' },
  })),
  'calendar_feed.make': own(async (client) => {
    await client.call(makeCalendarFeed);
    return {};
  }),
  'calendar_feed.renew': own(async (client) => {
    await client.call(renewCalendarFeed);
    return {};
  }),
  'calendar_feed.stop': own(async (client) => {
    await client.call(makeCalendarFeed);
    await client.call(stopCalendarFeed);
    return {};
  }),
  'demo_account.close': async ({ server: { db } }) => {
    const names = { firstName: 'Avery', lastName: 'Castellanos', trackType: null, role: 'coach' as const };
    const person = { ...names, email: `demo-${newId()}@demo.example`, password: 'Turbine-Hall-9' };
    const subjectId = await createSignInWithPassword(db, person);
    await db.transaction().execute(closeDemoAccounts);
    return { actorId: null, subjectId };
  },
  'email.change': async ({ server }) => {
    const person = await createPerson(server);
    const browser = await signInAs(server, person);
    const email = `new-${newId()}@people.example`;
    await browser.call(requestEmailChange, { body: { email } });
    await browser.call(confirmEmailChange, { body: { token: await tokenFor(server, email) } });
    return { actorId: person.id, subjectId: person.id, before: { email: person.email }, after: { email } };
  },
  'email.confirm': async ({ server }) => {
    const { id, email, password } = await buildRegistration(server);
    const token = await tokenFor(server, email);
    await (await server.as(null)).call(confirmRegistration, { body: { token, password } });
    return { actorId: id, subjectId: id, after: { by: 'confirmation_mail' } };
  },
  'identity.link': own(async (client) => {
    const { address, sign } = newWallet();
    const { message } = await client.call(requestWalletLink, { body: { address } });
    await client.call(linkWallet, { body: { message, signature: sign(message) } });
    return { after: { provider: 'wallet', account: address.toLowerCase() } };
  }),
  'identity.unlink': byCall('unlinkIdentity', ({ actorId }) => ({
    subjectId: actorId,
    before: { provider: 'wallet' },
  })),
  'invitation.renew': async ({ server }) => {
    const { id, email } = await invited(server);
    const sealed = sealAddress(server.app.secrets, email);
    await accountMailJob.run(server.app, { wish: 'confirmation', email: sealed }, { number: 1, isLast: false });
    return { actorId: null, subjectId: id };
  },
  'name.change': own(async (client) => {
    await client.call(changeOwnNames, { body: { firstName: 'Kit' } });
    return {};
  }),
  'passkey.add': own(async (client, server) => {
    await passkeyOf(client, server);
    return { after: { name: 'Phone' } };
  }),
  'passkey.remove': async ({ server }) => {
    const person = await createPerson(server);
    const client = await server.as(person);
    await client.call(removePasskey, { params: { id: await passkeyOf(client, server) } });
    return { actorId: person.id, subjectId: person.id, before: { name: 'Phone' } };
  },
  'passkey.rename': own(async (client, server) => {
    const id = await passkeyOf(client, server);
    await client.call(renamePasskey, { params: { id }, body: { name: 'My phone' } });
    return { before: { name: 'Phone' }, after: { name: 'My phone' } };
  }),
  'password.change': async ({ server }) => {
    const person = await createPerson(server);
    const body = { currentPassword: person.password, newPassword: 'Turbine-Hall-9' };
    await (await signInAs(server, person)).call(changePassword, { body });
    return { actorId: person.id, subjectId: person.id };
  },
  'password.set': async ({ server }) => {
    const { id, email } = await invited(server);
    const { hash } = await linkInMail(server.db, email);
    const token = new URLSearchParams(hash.slice(1)).get('access_token') ?? '';
    await (await server.as(null)).call(setPassword, { body: { token, newPassword: 'Turbine-Hall-9' } });
    return { actorId: id, subjectId: id, after: { by: 'invitation' } };
  },
  'profile.create': async ({ server, admin }) => {
    const id = newId();
    const names = { name: 'Wu Wen', firstName: 'Wu', lastName: 'Wen', email: `wu-${id}@people.example` };
    await server.db
      .insertInto('auth.user')
      .values({ id, ...names })
      .execute();
    await (await server.as(admin)).call(syncAuthProfiles);
    return { actorId: admin.id, subjectId: id };
  },
  'recovery_code.use': async ({ server }) => {
    const { person, browser, recoveryCodes } = await createProtected(server);
    const given = { kind: 'recovery_code' as const, code: recoveryCodes[0] ?? '' };
    await browser.call(turnOffSecondFactor, { body: { given } });
    return { actorId: person.id, subjectId: person.id, after: { left: 9 } };
  },
  'recovery_codes.renew': async ({ server }) => {
    const { person, browser } = await createProtected(server);
    await browser.call(renewRecoveryCodes);
    return { actorId: person.id, subjectId: person.id };
  },
  'registration.remove': async (world) => {
    const { id, email } = await buildRegistration(world.server);
    const { actorId } = await byCall('createAdminUser', () => ({}), { email })(world);
    return { actorId, subjectId: id };
  },
  'second_factor.remove': byCall('removeSecondFactor', async ({ sent, world }) => ({
    subjectId: await idOf(world.server, String(sent.email)),
  })),
  'second_factor.turn_off': async ({ server }) => {
    const { person, browser, secret } = await createProtected(server);
    const given = { kind: 'code' as const, code: codeFor(secret) };
    await browser.call(turnOffSecondFactor, { body: { given } });
    return { actorId: person.id, subjectId: person.id };
  },
  'second_factor.turn_on': async ({ server }) => {
    const { person } = await createProtected(server);
    return { actorId: person.id, subjectId: person.id };
  },
  'session.end': byCall('endSession', ({ actorId }) => ({ subjectId: actorId })),
  'session.end_all': byCall('endSessionsOfPerson', () => ({ after: { ended: 0 } })),
  'session.end_others': async ({ server }) => {
    const person = await buildParticipant(server.db);
    const [client] = [await server.as(person), await server.as(person)];
    await client.call(endOtherSessions);
    return { actorId: person.id, subjectId: person.id, after: { ended: 1 } };
  },
  'sign_in_policy.change': byCall('changeSignInPolicy', ({ world }) => ({
    subjectId: world.admin.id,
    before: { secondFactorRoles: ['coach'] },
    after: { secondFactorRoles: [] },
  })),
  'user.register': async ({ server }) => {
    const { id } = await buildRegistration(server, { requestedRole: 'coach', trackType: null });
    return { actorId: null, subjectId: id, after: { by: 'form', role: 'participant', requestedRole: 'coach' } };
  },
} satisfies Partial<Record<AuditAction, AuditedAct>>;

/** Something that people do about their own account. */
function own(act: (client: Client, server: TestApp) => Promise<Pick<Told, 'before' | 'after'>>): AuditedAct {
  return async ({ server }) => {
    const { id } = await buildParticipant(server.db);
    return { actorId: id, subjectId: id, ...(await act(await server.as({ id }), server)) };
  };
}

async function invited({ db, app }: TestApp) {
  const id = newId();
  const email = `kim-${id}@people.example`;
  await createSignIns(db, [{ id, email, firstName: 'Kim', lastName: 'Kay', role: 'coach', trackType: null }]);
  await invitePeople(db, [{ userId: id, email, firstName: 'Kim' }], null, app);
  return { id, email };
}

async function passkeyOf(client: Client, { app }: TestApp): Promise<string> {
  const origin = app.config.publicUrl;
  const { options } = await client.call(requestPasskey);
  const response = newAuthenticator(new URL(origin).hostname).create({ challenge: String(options.challenge), origin });
  return (await client.call(addPasskey, { body: { name: 'Phone', response } })).id;
}

async function tokenFor({ db }: TestApp, email: string): Promise<string> {
  const { hash } = await linkInMail(db, email);
  return new URLSearchParams(hash.slice(1)).get('token') ?? '';
}

async function idOf({ db }: TestApp, email: string): Promise<string> {
  const person = db.selectFrom('profiles').select('id').where('email', '=', email);
  return (await person.executeTakeFirstOrThrow()).id;
}
