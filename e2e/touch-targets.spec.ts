import { listSubmissions } from '#contract/submissions.ts';
import { expect, signIn, test } from './support.ts';
import { smallTargets } from './touch-targets.ts';

// web-pages.spec.ts tries what stands on a page itself.
test.use({ viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true });

test('on a phone of 360 px, whatever may be pressed in the navigation and in a review is at least 44 px wide and high', async ({
  page,
  demo,
}) => {
  await signIn(page, demo.url, 'coach@demo.example');
  await page.goto(`${demo.url}/change-password`);
  await page.getByRole('button', { name: 'Open navigation' }).tap();
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeInViewport();
  expect(await smallTargets(page)).toEqual([]);

  const listed = await page.request.get(`${demo.url}${listSubmissions.path}`);
  const [submission] = listSubmissions.response.parse(await listed.json()).rows;
  await page.goto(`${demo.url}/submissions?review=${submission?.id}`);
  await expect(page.getByRole('dialog', { name: 'Review submission' })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect(await smallTargets(page)).toEqual([]);
});
