import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { roles } from '#contract/roles.ts';
import { draw } from '#test/support/draw.tsx';
import { AccessDenied } from '../ui/states.tsx';
import { router } from './routes.tsx';

test('MSG-10 a person who is neither coach, participant nor admin reads whom Communications are for', () => {
  const guard = router.routesByPath['/cohorts'].options.staticData;
  expect(guard?.roles).toEqual(roles);
  expect([...roles].sort()).toEqual(['admin', 'coach', 'participant']);
  draw(<AccessDenied role={'visitor' as never} required={guard?.roles ?? []} message={guard?.denied} />);
  expect(
    screen.getByText('Communications are only available to coaches, participants, and administrators.'),
  ).toBeTruthy();
});
