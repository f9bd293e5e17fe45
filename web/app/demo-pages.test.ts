import { expect, test } from 'vitest';
import { pagesOf } from '../../e2e/demo-pages.ts';
import { paths } from './paths.ts';

/** The dashboards under their other addresses. */
const aliases: string[] = [paths.home, paths.coach, paths.fellowshipDashboard];

test('each link of the product is a page that the browser tests look at and that is photographed', () => {
  const known = new Set([...Object.values(pagesOf).flat(), ...aliases]);
  const links = Object.values(paths).filter((link) => typeof link === 'string');
  expect(links.filter((link) => !known.has(link))).toEqual([]);
});
