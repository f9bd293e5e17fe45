import { afterAll, beforeAll, expect, test } from 'vitest';
import { register } from '#contract/registration.ts';
import { accountMailJob } from '#server/features/accounts/account-mails.ts';
import { newId } from '#server/platform/ids.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { sealAddress } from '#server/sign-in/sealed-addresses.ts';
import { createSignIns } from '#server/sign-in/sign-ins.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { mailsTo } from '#test/support/sign-in.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

function auditOf(id: string) {
  return server.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'after'])
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute();
}

async function buildInvited(email: string): Promise<string> {
  const id = newId();
  const person = { id, email, firstName: 'Kim', lastName: 'Kay', role: 'coach' as const, trackType: null };
  await createSignIns(server.db, [person]);
  await invitePeople(server.db, [{ userId: id, email, firstName: 'Kim' }], null, server.app);
  return id;
}

test('a registration by the form is recorded with what was asked for; one of a known address is not', async () => {
  const visitor = await server.as(null);
  const names = { firstName: 'Robin', lastName: 'Reyes', email: 'robin@people.example', password: 'turbine-hall' };
  const body = { ...names, requestedRole: 'coach' as const, trackType: null };
  const { user } = await visitor.call(register, { body });
  const recorded = {
    action: 'user.register',
    actorId: null,
    after: { by: 'form', role: 'participant', requestedRole: 'coach' },
  };
  expect(await auditOf(user.id)).toEqual([recorded]);
  const again = await visitor.call(register, { body });
  expect(await auditOf(again.user.id)).toEqual([]);
  expect(await auditOf(user.id)).toEqual([recorded]);
});

test('an invitation that is sent again is recorded; of two wishes at once one link is left', async () => {
  const email = 'kim@people.example';
  const id = await buildInvited(email);
  const attempt = { number: 1, isLast: false };
  await Promise.all(
    ['new-password', 'confirmation'].map((wish) =>
      accountMailJob.run(server.app, { wish, email: sealAddress(server.app.secrets, email) }, attempt),
    ),
  );
  expect((await mailsTo(server.db, email)).map(({ kind }) => kind)).toEqual(Array(3).fill('invitation'));
  const links = await server.db.selectFrom('auth.passwordLink').select('kind').where('userId', '=', id).execute();
  expect(links).toEqual([{ kind: 'invitation' }]);
  const renewed = { action: 'invitation.renew', actorId: null, after: null };
  expect(await auditOf(id)).toEqual([renewed, renewed]);
});
