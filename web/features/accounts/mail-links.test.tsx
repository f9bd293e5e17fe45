import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { checkPasswordLink, readSession, setPassword, signOut } from '#contract/accounts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { confirmEmailChange } from '#contract/own-details.ts';
import { confirmRegistration } from '#contract/registration.ts';
import { checkMailSignIn, signInByMailLink } from '#contract/sign-in-ways.ts';
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
import { queryClient } from '../../api/query-for.ts';

const recovery = 'access_token=key-7&refresh_token=other&type=recovery';
const signedIn = { user: { id: robin.id, email: robin.email }, token: null, expiresAt: new Date().toISOString() };
const bodiesOf = (endpoint: Endpoint) => called.filter(({ path }) => path === endpoint.path).map(({ body }) => body);

serveScreens();

for (const [link, endpoint, reply, title] of [
  [`/password-reset#${recovery}`, checkPasswordLink, { email: robin.email, kind: 'reset' }, 'Choose a new password'],
  [`/set-password?${recovery}`, checkPasswordLink, { email: robin.email, kind: 'invitation' }, 'Welcome to Switchyard'],
  ['/login/mail#token=key-7', checkMailSignIn, { email: robin.email }, 'Sign in'],
] as const) {
  test(`a mailed link that could not be checked is not called invalid, and is checked again on demand: ${link}`, async () => {
    await open(link);
    await seesHeading('Not checked yet');
    answers.set(endpoint, refused('unavailable', 'The server starts again.'));
    await press('Try again');
    await sees('The server starts again.');
    answers.set(endpoint, () => reply);
    await press('Try again');
    await seesHeading(title);
    expect(location.pathname + location.search + location.hash).toBe(link);
    expect(new Set(bodiesOf(endpoint).map((body) => JSON.stringify(body)))).toEqual(new Set(['{"token":"key-7"}']));
    expect(toasts.filter(([type]) => type === 'error')).toEqual([]);
  });
}

test('a sign-in link, a confirmation of an account and one of a new address can be used again after a call that did not arrive', async () => {
  answers.set(checkMailSignIn, () => ({ email: robin.email }));
  await open('/login/mail#token=key-7');
  await sees('You are about to sign in as robin@people.example.');
  await press('Sign in');
  await waitFor(() => expect(toasts).toHaveLength(1));
  await seesHeading('Sign in');
  answers.set(signInByMailLink, refused('not_found', 'This link was used before.'));
  await press('Sign in');
  await seesHeading('This link does not work');
  await sees('This link was used before.');

  await open('/confirm-email#token=key-7');
  await seesHeading('Confirm your new email address');
  await press('Confirm this address');
  await sees('No answer yet');
  await sees('If your address has already changed, you no longer need the link.');
  answers.set(confirmEmailChange, () => ({ email: 'new@people.example' }));
  await press('Try again');
  await seesHeading('Email address changed');
  expect(bodiesOf(confirmEmailChange)).toEqual([{ token: 'key-7' }, { token: 'key-7' }]);

  const token = `a.${btoa(JSON.stringify({ email: robin.email }))}.b`;
  await open(`/confirm-account#token=${token}`);
  await seesHeading('Confirm your email address');
  await fill({ Password: 'Power-Up-7' });
  await press('Confirm and sign in');
  await waitFor(() => expect(toasts.at(-1)?.[1]).toBe('Email Address Not Confirmed'));
  answers.set(confirmRegistration, () => signedIn);
  await press('Confirm and sign in');
  await waitFor(() => expect(toasts.at(-1)?.[1]).toBe('Email Address Confirmed'));
  expect(bodiesOf(confirmRegistration)).toEqual(Array(2).fill({ token, password: 'Power-Up-7' }));
});

test('AUTH-37 a link without its token is called incomplete, and one that was refused is not', async () => {
  await open('/set-password');
  await seesHeading('Invalid link');
  await sees('This link is not complete.');
  answers.set(checkPasswordLink, refused('not_found', 'Invalid or expired reset link'));
  await open(`/set-password#${recovery}`);
  await sees('This link is invalid, was used before, or has expired.');
});

test.each([
  [null, 'Back to sign in'],
  [robin, 'Continue without a change'],
])('a link to a new address that is not complete leads a person on as they are signed in: %#', async (user, label) => {
  answers.set(readSession, () => sessionOf(user));
  await open('/confirm-email');
  await sees('This link is not complete.');
  await sees(label);
});

test('AUTH-32 set-password sends nothing that misses a requirement and says so, then sets the password and signs out', async () => {
  let isSignedIn = true;
  answers.set(readSession, () => sessionOf(isSignedIn ? robin : null));
  answers.set(checkPasswordLink, () => ({ email: robin.email, kind: 'reset' }));
  answers.set(setPassword, () => ({ done: true }));
  answers.set(signOut, () => {
    isSignedIn = false;
    return { success: true };
  });
  await open(`/set-password#${recovery}`);
  await seesHeading('Choose a new password');
  expect(bodiesOf(checkPasswordLink)).toEqual([{ token: 'key-7' }]);
  for (const weak of ['Wind7!', 'windpark7!', 'WINDPARK7!', 'Windpark!', 'Windpark77']) {
    await fill({ 'New password': weak, 'Confirm new password': weak });
    await submit();
    expect(toasts.at(-1)?.slice(1)).toEqual([
      'Password Requirements Not Met',
      'Please ensure your password meets all requirements.',
    ]);
  }
  await fill({ 'New password': 'Windpark7!', 'Confirm new password': 'Windpark8!' });
  await submit();
  expect(toasts).toHaveLength(6);
  expect(bodiesOf(setPassword)).toEqual([]);

  await fill({ 'Confirm new password': 'Windpark7!' });
  await submit();
  await waitFor(() => expect(toasts.at(-1)?.[1]).toBe('Password Set Successfully'));
  expect(bodiesOf(setPassword)).toEqual([{ token: 'key-7', newPassword: 'Windpark7!' }]);
  await waitFor(() => expect(bodiesOf(signOut)).toHaveLength(1));
});

test('signing out of a password link asks, and forgets what the device kept of the person, as the sidebar does; setting the password keeps it', async () => {
  let isSignedIn = true;
  answers.set(readSession, () => sessionOf(isSignedIn ? robin : null));
  answers.set(checkPasswordLink, () => ({ email: robin.email, kind: 'reset' }));
  answers.set(setPassword, () => ({ done: true }));
  answers.set(signOut, () => {
    isSignedIn = false;
    return { success: true };
  });
  const draft = `switchyard.draft.assignment.${robin.id}.subject`;
  const unsent = `switchyard.unsent-messages.${robin.id}.draft.somebody`;
  localStorage.setItem(
    draft,
    JSON.stringify({ text: 'My work', file: null, round: null, basedOn: null, isSaved: true }),
  );
  localStorage.setItem(unsent, JSON.stringify({ text: 'Half a word', file: null }));
  const kept = () => [draft, unsent].filter((key) => localStorage.getItem(key) !== null);
  await open(`/set-password#${recovery}`);
  await seesHeading('Choose a new password');
  await fill({ 'New password': 'Windpark7!', 'Confirm new password': 'Windpark7!' });
  await submit();
  await waitFor(() => expect(bodiesOf(signOut)).toHaveLength(1));
  // Other tabs ask to sign in again, and go on with these copies.
  expect(kept()).toEqual([draft, unsent]);

  isSignedIn = true;
  queryClient.clear();
  await open(`/set-password#${recovery}&again`);
  await waitFor(() => expect(document.body.textContent).toContain('Sign out and keep the current password'));
  await press('Sign out and keep the current password');
  await sees('You have 1 unsent message in this browser only.');
  await press('Delete and sign out');
  await seesHeading('Sign in');
  expect(kept()).toEqual([]);
});

/** Submits as the Enter key does. */
async function submit(): Promise<void> {
  await act(async () => document.querySelector('form')?.requestSubmit());
}
