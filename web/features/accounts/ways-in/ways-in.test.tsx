import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listWaysIn } from '#contract/identities.ts';
import {
  answers,
  fill,
  open,
  press,
  robin,
  sees,
  seesHeading,
  serveScreens,
  sessionOf,
} from '#test/support/web-screens.tsx';

serveScreens();

const nothing = { providers: [], wallet: false, passkeys: false };

test('where there is no other way to sign in, no empty section is named after it', async () => {
  answers.set(readSession, () => sessionOf(robin));
  answers.set(listWaysIn, () => Response.json({ hasPassword: true, identities: [], passkeys: [], linkable: nothing }));
  await open('/account/security');
  await seesHeading('Sign-in and security');
  await sees('Your details');
  await waitFor(() => expect(document.body.textContent).not.toContain('Other ways to sign in'));
});

test('where one can be linked, the section says that none is', async () => {
  answers.set(readSession, () => sessionOf(robin));
  answers.set(listWaysIn, () =>
    Response.json({ hasPassword: true, identities: [], passkeys: [], linkable: { ...nothing, passkeys: true } }),
  );
  await open('/account/security');
  await sees('Nothing is linked to your account yet.');
  expect(document.body.textContent).toContain('Other ways to sign in');
});

test('a person who has typed an address does not type it again to be mailed a link', async () => {
  const signInProviders = [{ id: 'mail', label: 'Email' }];
  answers.set(readSession, () => {
    const session = sessionOf(null);
    return { ...session, instance: { ...session.instance, signInProviders } };
  });
  await open('/login');
  await seesHeading('Sign in');
  await sees('Send me a sign-in link');
  await fill({ Email: 'robin@people.example' });
  await press('Send me a sign-in link');
  const field = await screen.findByRole('textbox', { name: 'Email for the sign-in link' });
  expect(field).toHaveProperty('value', 'robin@people.example');
});
