import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import type { Role } from '#contract/roles.ts';
import { answers, open, robin, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

const id = '00000000-0000-7000-8000-00000000000a';

test.each([
  ['admin', '/admin', 'Dashboard'],
  ['admin', '/', 'Dashboard'],
  ['admin', `/people/${id}`, 'User Management'],
  ['admin', `/stipends/${id}`, 'Stipend Management'],
  ['coach', '/coach', 'Dashboard'],
  ['coach', `/people/${id}`, 'Cohort Progress'],
  ['coach', `/stipends/${id}`, 'Cohort Progress'],
  ['participant', '/fellowship-dashboard', 'Dashboard'],
  ['participant', `/activity/${id}`, 'My Activities'],
  ['participant', `/assignment/${id}`, 'My Activities'],
  ['participant', '/my-stipends', 'My Stipends'],
] satisfies [Role, string, string][])('the sidebar of a %s shows where %s belongs: %s', async (role, place, entry) => {
  answers.set(readSession, () => sessionOf({ ...robin, role }));
  await open(place);
  const current = () =>
    [...document.querySelectorAll('[data-testid="sidebar"] [aria-current]')].map(({ textContent }) => textContent);
  await waitFor(() => expect(current()).toEqual([entry]));
});
