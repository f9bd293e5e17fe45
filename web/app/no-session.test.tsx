import { act, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { readSession, signIn } from '#contract/accounts.ts';
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

const unreachable = 'Unable to connect to the server. Please check your internet connection and try again.';
const failures = [
  ['no network', undefined, "We can't reach Switchyard.", unreachable],
  ['503', refused('unavailable', 'It starts again.'), 'Switchyard has a problem right now.', 'It starts again.'],
] as const;

serveScreens();

function failSession(answer: (() => object) | undefined): void {
  if (answer) answers.set(readSession, answer);
  else answers.delete(readSession);
}

for (const [name, fail, note, reason] of failures) {
  test(`AUTH-48 the screens for everybody open although the session cannot be read: ${name}`, async () => {
    failSession(fail);
    for (const [place, title] of [
      ['/register', 'Create an account'],
      ['/password-reset', 'Reset your password'],
      ['/set-password', 'Invalid link'],
      ['/login?next=%2Fchange-password', 'Sign in'],
    ] as const) {
      await open(place);
      await seesHeading(title);
      await sees(note);
    }
    answers.set(readSession, () => sessionOf(robin));
    await press('Try again');
    await seesHeading('Change Password');
    await waitFor(() => expect(document.body.textContent).not.toContain(note));
  });

  test(`AUTH-48 a guarded screen says that the server does not answer, not that nobody is signed in: ${name}`, async () => {
    // React reports the error that the page shows instead of the screen.
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    failSession(fail);
    await open('/password-reset');
    await seesHeading('Reset your password');
    await open('/change-password?from=mail');
    await seesHeading("We can't reach Switchyard");
    await sees(reason);
    expect(location.pathname + location.search).toBe('/change-password?from=mail');
    await press('Try again');
    await seesHeading("We can't reach Switchyard");
    expect(new Set(called.map(({ path }) => path))).toEqual(new Set([readSession.path]));

    answers.set(readSession, () => sessionOf(robin));
    await act(async () => window.dispatchEvent(new Event('online')));
    await seesHeading('Change Password');
    expect(location.pathname + location.search).toBe('/change-password?from=mail');
  });
}

test('a person who has signed in, and whose session cannot be read then, is told so and gets in with the next try', async () => {
  await open('/login?next=%2Fchange-password');
  await seesHeading('Sign in');
  await fill({ Email: robin.email, Password: 'Power-Up-2026!' });
  answers.set(signIn, () => ({}));
  failSession(undefined);
  await press('Sign in');
  await waitFor(() => expect(toasts).toEqual([['error', 'Sign In Failed', unreachable]]));
  answers.set(readSession, () => sessionOf(robin));
  await press('Sign in');
  await seesHeading('Change Password');
});
