import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listContacts } from '#contract/messages.ts';
import { answers, open, robin, sees, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

test('a participant without a coach is not asked to choose a conversation', async () => {
  answers.set(readSession, () => sessionOf(robin));
  answers.set(listContacts, () => ({ rows: [], nextCursor: null }));
  await open('/cohorts');
  await sees('No coach yet');
  expect(document.body.textContent).not.toContain('Choose a conversation');
});

test.each([
  ['participant', 'See what happens next', '/dashboard'],
  ['admin', 'Go to Bulk User Creation', '/admin/bulk-invitations'],
] as const)('without any contact a %s has no second pane, and a next step: %s', async (role, label, place) => {
  answers.set(readSession, () => sessionOf({ ...robin, role }));
  answers.set(listContacts, () => ({ rows: [], nextCursor: null }));
  await open('/cohorts');
  await sees(label);
  expect(screen.getByRole('link', { name: label }).getAttribute('href')).toBe(place);
  expect(document.querySelector('[data-alone] > [aria-label="Contacts"]')?.nextElementSibling).toBeNull();
});
