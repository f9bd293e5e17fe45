import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { roles } from '#contract/roles.ts';
import { AccessDenied } from '../ui/states.tsx';
import { router } from './routes.tsx';

test('MSG-10 a person who is neither coach, participant nor admin reads whom Communications are for', () => {
  const guard = router.routesByPath['/cohorts'].options.staticData;
  expect(guard?.roles).toEqual(roles);
  expect([...roles].sort()).toEqual(['admin', 'coach', 'participant']);
  const shown = renderToStaticMarkup(
    <MantineProvider>
      <AccessDenied role={'visitor' as never} required={guard?.roles ?? []} message={guard?.denied} />
    </MantineProvider>,
  );
  expect(shown).toContain('Communications are only available to coaches, participants, and administrators.');
});
