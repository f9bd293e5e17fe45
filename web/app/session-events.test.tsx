import { expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import {
  answers,
  called,
  open,
  robin,
  sees,
  seesHeading,
  serveScreens,
  sessionOf,
  settled,
} from '#test/support/web-screens.tsx';
import { queryClient } from '../api/query-for.ts';

serveScreens();

/** Another tab of the browser: the same server, a memory of its own. This tab has loaded its screens before. */
async function openBothTabs() {
  answer(robin);
  await open('/change-password');
  await seesHeading('Change Password');
  answer(null);
  queryClient.clear();
  await open('/login?next=%2Fchange-password');
  await seesHeading('Sign in');
  vi.resetModules();
  return import('../api/session.ts');
}

const answer = (...session: Parameters<typeof sessionOf>) => answers.set(readSession, () => sessionOf(...session));
const reads = () => called.filter(({ path }) => path === readSession.path).length;

test('AUTH-40 a screen follows what another tab learns: signed in, user updated, token refreshed, signed out', async () => {
  const other = await openBothTabs();
  answer(robin);
  await other.refetchSession();
  await seesHeading('Change Password');
  await sees('Robin Reyes');

  answer({ ...robin, firstName: 'Robina', email: 'robina@people.example' });
  await other.refetchSession();
  await sees('Robina Reyes');
  await sees('robina@people.example');

  answer({ ...robin, role: 'coach' });
  await other.refetchSession();
  await sees('Training Calendar');

  const before = reads();
  answer({ ...robin, role: 'coach' }, { expiresAt: '2030-01-01T00:00:00.000Z' });
  await other.refetchSession();
  await settled(() => expect(reads()).toBe(before + 2));

  answer(null);
  await other.leaveSession(async () => undefined);
  await seesHeading('Authentication Required');
  await sees('Sign in');
});

test('AUTH-40 a code that another tab waits for is asked for here too, and what it gives signs in both', async () => {
  const other = await openBothTabs();
  answer(null, { awaitsSecondFactor: true });
  await other.refetchSession();
  await seesHeading('Enter your code');
  answer({ ...robin, role: 'coach' }, { assuranceLevel: 'aal2' });
  await other.refetchSession();
  await seesHeading('Change Password');
});
