// @vitest-environment jsdom
import { Link } from '@tanstack/react-router';
import { expect, test } from 'vitest';
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
