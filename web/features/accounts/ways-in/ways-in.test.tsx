import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listWaysIn } from '#contract/identities.ts';
import { answers, open, robin, sees, seesHeading, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

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
