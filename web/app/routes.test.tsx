// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, Link, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { enrolInFellowship } from '#contract/cohorts.ts';
import { rolesWith } from '#contract/roles.ts';
import { draw } from '#test/support/draw.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { lazyPage } from './lazy-page.ts';
import { paths, placeOf } from './paths.ts';
import { router } from './routes.tsx';

test('every link leads to a screen of the router', () => {
  const places = [...Object.values(paths)].map((path) => (typeof path === 'function' ? path('1' as never, '2') : path));
  const found = places.map((place) => router.getMatchedRoutes(new URL(place, 'http://here').pathname)[2]);
  expect(places.filter((_, index) => !found[index] || found[index]?.fullPath === '/$')).toEqual([]);
});

test('a record stands in the address as one part of it', () => {
  expect(paths.activity('a/b?c')).toBe('/activity/a%2Fb%3Fc');
  expect(paths.resubmit('one', 'two')).toBe('/assignment/one?resubmit=two');
});

test('the compiler refuses pages and links that do not exist', () => {
  const refused = [
    // @ts-expect-error the module has no such export
    () => lazyPage(() => import('./ErrorPage.tsx'), 'ErorPage'),
    // @ts-expect-error a page takes nothing
    () => lazyPage(() => import('./ErrorPage.tsx'), 'ErrorPage'),
    // @ts-expect-error there is no such screen
    () => placeOf('/dashbord', {}),
    // @ts-expect-error the activity is missing
    () => placeOf('/activity/$activityId', {}),
    // @ts-expect-error there is no such screen
    () => <Link to="/dashbord" />,
    // @ts-expect-error the assignment is missing
    () => <Link to="/assignment/$assignmentId" />,
  ];
  expect(refused).toHaveLength(6);
});

test('ROUTE-22 where nothing can be drawn the whole page reads Something went wrong, and Refresh Page reloads it', async () => {
  const { errorComponent } = router.routeTree.options;
  const broken = createRootRoute({
    errorComponent: errorComponent as never,
    component: () => {
      throw new Error('broken');
    },
  });
  expect(errorComponent).toBe(ErrorPage);
  const reload = vi.fn();
  vi.stubGlobal('location', { ...location, reload });
  vi.stubGlobal('scrollTo', () => undefined);
  const told = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const caught = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    const here = createRouter({ routeTree: broken, history: createMemoryHistory() });
    await here.load();
    draw(<RouterProvider router={here as never} />);
    const page = within(screen.getByRole('main'));
    expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Something went wrong');
    expect(document.body.textContent).not.toContain('broken');
    fireEvent.click(page.getByRole('button', { name: 'Refresh Page' }));
    expect(reload).toHaveBeenCalledTimes(1);
  } finally {
    cleanup();
    caught.mockRestore();
    told.mockRestore();
    vi.unstubAllGlobals();
  }
});

test('SEC-13 a coach opens no admin screen and none of a fellow, and the enrol box calls what only admins may', () => {
  const guardOf = (place: string) => router.getMatchedRoutes(place)[2]?.options.staticData;
  const screens = Object.values(paths).filter((path) => typeof path === 'string');
  const ofAdmins = screens.filter((path) => path.startsWith('/admin'));
  expect(ofAdmins.length).toBeGreaterThan(10);
  for (const place of [...ofAdmins, paths.fellowship, paths.fellowshipDashboard, paths.myFiles]) {
    expect({ place, mayOpen: guardOf(place)?.roles?.includes('coach') }).toEqual({ place, mayOpen: false });
  }
  expect(guardOf(paths.coach)?.roles).toEqual(['coach']);
  expect(enrolInFellowship.access).toBe('cohorts.manage');
  expect(rolesWith('cohorts.manage')).toEqual(['admin']);
});
