import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { checkPasswordLink, readSession } from '#contract/accounts.ts';
import { readProofWays } from '#contract/second-factor.ts';
import { answers, open, press, robin, seesHeading, serveScreens, sessionOf } from '#test/support/web-screens.tsx';
import { isProofGiven } from '../../../api/fresh-proof.ts';

const recovery = '#access_token=key-7&refresh_token=other&type=recovery';
const confirmation = `#token=a.${btoa(JSON.stringify({ email: robin.email }))}.b`;
const newPasswordFor = ['username', 'new-password', 'new-password'];

serveScreens();

/** Returns what each field tells a password manager, in the fields' order. Each field accepts a paste. */
function fieldsIn(place: string): (string | null)[] {
  const fields = [...document.querySelectorAll(`${place} form input[autocomplete]:not([type=hidden])`)];
  for (const field of fields) {
    const isPasted = field.dispatchEvent(new Event('paste', { bubbles: true, cancelable: true }));
    expect(isPasted).toBe(true);
  }
  return fields.map((field) => field.getAttribute('autocomplete'));
}

for (const [address, title, wanted] of [
  ['/login', 'Sign in', ['username', 'current-password']],
  [`/password-reset${recovery}`, 'Choose a new password', newPasswordFor],
  [`/set-password${recovery}`, 'Choose a new password', newPasswordFor],
  [`/confirm-account${confirmation}`, 'Confirm your email address', ['username', 'current-password']],
] as const) {
  test(`a password manager knows each field, and may paste: ${address.replace(/#.*/, '')}`, async () => {
    answers.set(checkPasswordLink, () => ({ email: robin.email, kind: 'reset' }));
    await open(address);
    await seesHeading(title);
    expect(fieldsIn('main')).toEqual(wanted);
    const named = document.querySelector<HTMLInputElement>('input[autocomplete=username]');
    expect(named?.value).toBe(address === '/login' ? '' : robin.email);
  });
}

test('a password manager knows the field of the second factor’s code, and keeps no recovery code', async () => {
  answers.set(readSession, () => sessionOf(null, { awaitsSecondFactor: true }));
  await open('/login');
  await seesHeading('Enter your code');
  await waitFor(() => expect(fieldsIn('main')).toEqual(['one-time-code']));
  await press('Use a recovery code');
  expect(fieldsIn('main')).toEqual(['off']);
});

test('a password manager knows whose password or code the dialog asks for that opens over a screen', async () => {
  answers.set(readSession, () => sessionOf(robin));
  answers.set(readProofWays, () => ({ hasPassword: true, hasSecondFactor: true, email: robin.email }));
  await open('/change-password');
  await seesHeading('Change Password');

  let proof: Promise<boolean> | undefined;
  await act(async () => {
    proof = isProofGiven();
  });
  await waitFor(() => expect(fieldsIn('[role=dialog]')).toEqual(['username', 'current-password']));
  await press('Use a code from my app');
  expect(fieldsIn('[role=dialog]')).toEqual(['username', 'one-time-code']);
  await press('Cancel');
  expect(await proof).toBe(false);
});
