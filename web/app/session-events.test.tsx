import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { createAdminUser } from '#contract/documented-functions.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import {
  answers,
  called,
  fill,
  open,
  press,
  refused,
  robin,
  sees,
  seesHeading,
  serveScreens,
  sessionOf,
  toasts,
} from '#test/support/web-screens.tsx';
import { writeDeviceCopy } from '../api/device-copy.ts';
import { queryClient } from '../api/query-for.ts';
import { draftKey } from '../features/submissions/draft-copies.ts';
import { formatDay } from '../ui/dates.ts';

serveScreens();

/**
 * Opens another tab of the browser, with the same server and its own memory. This tab has loaded its screens before.
 */
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

test('a screen that is open when the role comes to need a second factor keeps what was typed there', async () => {
  const ada = { ...robin, role: 'admin' as const, trackType: null };
  answer(ada);
  answers.set(
    createAdminUser,
    refused('second_factor_required', 'Your role needs a second factor. Set it up to go on.'),
  );
  await open('/admin/create-superadmin');
  await seesHeading('Create Superadmin Account');
  const typed = { 'First name': 'Nia', 'Last name': 'Nox', Email: 'nia@people.example' };
  await fill({ ...typed, Password: 'Turbine-Hall-7', 'Confirm password': 'Turbine-Hall-7' });
  const before = reads();
  answer(ada, { mustSetUpSecondFactor: true });
  await press('Create superadmin');
  await waitFor(() => expect(toasts.at(-1)?.[2]).toBe('Your role needs a second factor. Set it up to go on.'));
  await sees('Your role needs a second factor now');
  expect(reads()).toBeGreaterThan(before);
  const values = () => [...document.querySelectorAll('input')].map(({ value }) => value);
  expect(values()).toEqual(expect.arrayContaining([...Object.values(typed), 'Turbine-Hall-7']));
  await sees('Your text stays.');
  const setUp = [...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Set it up in a new tab');
  expect([setUp?.getAttribute('href'), setUp?.target]).toEqual(['/account/security', '_blank']);
});

test('an admin who still has days for a second factor reads how many, and where to set it up', async () => {
  const ada = { ...robin, role: 'admin' as const, trackType: null };
  const dueAt = `${addDays(dayAt(new Date(), houseZone), 3)}T17:00:00Z`;
  answer(ada, { secondFactorDueAt: dueAt });
  await open('/admin/create-superadmin');
  await sees(`Admins need a second factor by ${formatDay(dueAt)}.`);
  await sees('3 days left.');
  const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Set it up');
  expect(link?.getAttribute('href')).toBe('/account/security');
});

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
  await waitFor(() => expect(reads()).toBe(before + 2));

  answer(null);
  await other.leaveSession(async () => undefined);
  await seesHeading('Authentication Required');
  await sees('Sign in');
  // An answer that was on its way here brings back nothing that the other tab has deleted.
  expect(writeDeviceCopy(draftKey({ kind: 'review', userId: robin.id, subjectId: 'one' }), {})).toBe(false);
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
