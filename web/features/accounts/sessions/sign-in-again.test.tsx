import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { changePassword, readSession, signIn, signOut } from '#contract/accounts.ts';
import { verifySecondFactor } from '#contract/second-factor.ts';
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
} from '#test/support/web-screens.tsx';

serveScreens();

const typed = { 'Current password': 'Old-Power-1', 'New password': 'Turbine7', 'Confirm new password': 'Turbine7' };

test('a person who is protected by a second factor signs in again over the screen by password and code, and what was typed stays', async () => {
  answers.set(readSession, () => sessionOf(robin));
  await open('/change-password');
  await seesHeading('Change Password');
  await fill(typed);
  answers.set(changePassword, refused('not_authenticated', 'Not authenticated'));
  answers.set(readSession, () => sessionOf(null));
  await act(async () => document.querySelector('form')?.requestSubmit());
  await sees('Your session has ended.');

  answers.set(signIn, () => {
    answers.set(readSession, () => sessionOf(null, { awaitsSecondFactor: true }));
    return { token: null };
  });
  answers.set(signOut, () => {
    answers.set(readSession, () => sessionOf(null));
    return { success: true };
  });
  answers.set(verifySecondFactor, () => {
    answers.set(readSession, () => sessionOf(robin, { assuranceLevel: 'aal2' }));
    return { done: true };
  });
  await givePassword();
  await press('Back to sign in');
  await sees('Your session has ended. Sign in to continue');
  expect(called.filter(({ path }) => path === signOut.path)).toHaveLength(1);
  await givePassword();
  await fill({ Code: '123 456' });
  await press('Confirm');
  await waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull());
  const sent = called.filter(({ path }) => path === verifySecondFactor.path);
  expect(sent).toMatchObject([{ body: { given: { kind: 'code' }, isDeviceRemembered: false } }]);
  const kept = [...document.querySelectorAll<HTMLInputElement>('form input[type=password]')].map(({ value }) => value);
  expect(kept).toEqual(Object.values(typed));
  expect(location.pathname).toBe('/change-password');
});

async function givePassword(): Promise<void> {
  await fill({ Password: 'Power-Up-1' });
  await press('Sign in');
  await sees('The 6 digits that your app shows now.');
}
