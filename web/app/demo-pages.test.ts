import { expect, test } from 'vitest';
import { pagesOf } from '../../e2e/demo-pages.ts';
import { paths } from './paths.ts';
import { router } from './routes.tsx';

/** Other addresses of the dashboards. */
const aliases: string[] = [paths.home, paths.coach, paths.fellowshipDashboard];

const known = [
  ...Object.values(pagesOf)
    .flat()
    .map((place) => place.replace(/\?.*/, '')),
  ...aliases,
];

test('each route of the product is a page that the browser tests look at and that is photographed', () => {
  const screens = Object.keys(router.routesByPath).filter((route) => route !== '/$');
  expect(screens.length).toBeGreaterThan(30);
  const shapeOf = (route: string) => new RegExp(`^${route.replace(/\$\w+/g, '[^/]+')}$`);
  expect(screens.filter((route) => !known.some((place) => shapeOf(route).test(place)))).toEqual([]);
});

test('each link of the product is a page that the browser tests look at and that is photographed', () => {
  const links = Object.values(paths).filter((link) => typeof link === 'string');
  expect(links.filter((link) => !known.includes(link))).toEqual([]);
});
