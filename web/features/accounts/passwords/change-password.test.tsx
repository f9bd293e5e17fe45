import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { changePassword, readSession } from '#contract/accounts.ts';
import {
  answers,
  called,
  fill,
  open,
  robin,
  sees,
  seesHeading,
  serveScreens,
  sessionOf,
  toasts,
} from '#test/support/web-screens.tsx';
import { unreachable } from '../../../api/api-error.ts';

serveScreens();

test('PWD-07 PWD-10 a password that breaks one rule or differs is not sent; a failed call says so and keeps what was typed', async () => {
  answers.set(readSession, () => sessionOf(robin));
  await open('/change-password');
  await seesHeading('Change Password');
  for (const [password, confirmation, title] of [
    ['Turbin7', 'Turbin7', 'Weak Password'],
    ['turbine7', 'turbine7', 'Weak Password'],
    ['TURBINE7', 'TURBINE7', 'Weak Password'],
    ['Turbines', 'Turbines', 'Weak Password'],
    ['Turbine7', 'Turbine8', 'Password Mismatch'],
  ] as const) {
    toasts.length = 0;
    await submit('Old-Power-1', password, confirmation);
    expect(toasts.map(([type, words]) => [type, words])).toEqual([
      ['error', 'Password Requirements Not Met'],
      ['error', title],
    ]);
  }
  expect(bodies()).toEqual([]);

  toasts.length = 0;
  await submit('Old-Power-1', 'Turbine7', 'Turbine7');
  await waitFor(() => expect(toasts).toHaveLength(1));
  expect(toasts).toEqual([['error', 'Error Changing Password', unreachable]]);
  expect(bodies()).toEqual([{ currentPassword: 'Old-Power-1', newPassword: 'Turbine7' }]);
  const kept = [...document.querySelectorAll<HTMLInputElement>('form input[type=password]')].map(({ value }) => value);
  expect(kept).toEqual(['Old-Power-1', 'Turbine7', 'Turbine7']);
  expect(location.pathname).toBe('/change-password');
});

test('a person who signed in with a password that an admin chose is led here from everywhere, and on once it is changed', async () => {
  const ada = { ...robin, role: 'admin' as const, trackType: null };
  answers.set(readSession, () => sessionOf(ada, { mustChangePassword: true }));
  await open('/admin/create-superadmin');
  await seesHeading('Change Password');
  await sees('Choose your own password first');
  expect(location.pathname).toBe('/change-password');
  answers.set(changePassword, () => {
    answers.set(readSession, () => sessionOf(ada));
    return Response.json({ done: true });
  });
  await submit('Given-Power-1', 'Turbine-Hall-7', 'Turbine-Hall-7');
  await waitFor(() => expect(location.pathname).toBe('/dashboard'));
});

async function submit(current: string, next: string, confirmation: string): Promise<void> {
  await fill({ 'Current password': current, 'New password': next, 'Confirm new password': confirmation });
  await act(async () => document.querySelector('form')?.requestSubmit());
}

function bodies() {
  return called.filter(({ path }) => path === changePassword.path).map(({ body }) => body);
}
