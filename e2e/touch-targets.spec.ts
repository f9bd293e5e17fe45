import type { Browser, Page } from '@playwright/test';
import { readTrainingCalendar } from '#contract/learning.ts';
import type { Role } from '#contract/roles.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { withFewRows } from './demo-pages.ts';
import type { Instance } from './instance.ts';
import { expect, signIn, test } from './support.ts';

type Visitor = Role | 'nobody';

const forEveryRole = [
  '/dashboard',
  '/cohorts',
  '/submissions',
  '/training-calendar',
  '/preferences/notifications',
  '/change-password',
];
const pathsOf: Record<Visitor, string[]> = {
  nobody: ['/login', '/register', '/password-reset', '/set-password'],
  participant: [...forEveryRole, '/fellowship', '/fellowship/modules', '/resources', '/admin'],
  coach: [...forEveryRole, '/dashboard?tab=sessions', '/submissions?tab=pending', '/resources'],
  admin: [
    ...forEveryRole,
    '/admin/bulk-invitations',
    '/admin/user-management',
    '/admin/training-management',
    '/admin/content-management',
    '/admin/resources-management',
    '/admin/stipend-management',
  ],
};

test.setTimeout(120_000);

for (const visitor of ['nobody', 'participant', 'coach', 'admin'] as const) {
  test(`on a phone of 360 px, whatever ${visitor} may press is at least 44 px wide and high`, async ({
    browser,
    demo,
  }) => {
    const page = await openOnPhone(browser, demo, visitor);
    const findings: string[] = [];
    for (const path of [...pathsOf[visitor], ...(await placesOfRecords(page, demo, visitor))]) {
      await page.goto(demo.url + withFewRows(path));
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      findings.push(...(await smallTargets(page)).map((finding) => `${path}: ${finding}`));
    }
    if (visitor !== 'nobody') {
      await page.goto(`${demo.url}/change-password`);
      await page.getByRole('button', { name: 'Open navigation' }).tap();
      await expect(page.getByRole('button', { name: 'Sign Out' })).toBeInViewport();
      findings.push(...(await smallTargets(page)).map((finding) => `navigation: ${finding}`));
    }
    expect(findings).toEqual([]);
    await page.context().close();
  });
}

async function openOnPhone(browser: Browser, demo: Instance, visitor: Visitor): Promise<Page> {
  const viewport = { width: 360, height: 760 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
  const page = await context.newPage();
  if (visitor !== 'nobody') await signIn(page, demo.url, `${visitor}@demo.example`);
  return page;
}

/** One activity, one assignment, and for those who review one review. */
async function placesOfRecords(page: Page, demo: Instance, visitor: Visitor): Promise<string[]> {
  if (visitor === 'nobody') return [];
  const calendar = await page.request.get(`${demo.url}${readTrainingCalendar.path}`);
  const [activity] = readTrainingCalendar.response.parse(await calendar.json()).activities;
  const listed = await page.request.get(`${demo.url}${listSubmissions.path}`);
  const [submission] = listSubmissions.response.parse(await listed.json()).rows;
  if (!activity || !submission) throw new Error('The demo programme has neither activities nor submissions.');
  const review = visitor === 'participant' ? [] : [`/submissions?review=${submission.id}`];
  return [`/activity/${activity.id}`, `/assignment/${submission.assignmentId}`, ...review];
}

/** By trying points around each target's middle, as a finger would; links in the midst of a text are left out. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const least = 44;
    const tolerance = 0.5;
    const pressable =
      'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=option], [role=menuitem], [role=switch]';
    const isLinkInText = (target: Element) => {
      if (target.tagName !== 'A' || getComputedStyle(target).display !== 'inline') return false;
      const around = target.parentElement?.textContent?.trim() ?? '';
      return around.length > (target.textContent?.trim() ?? '').length;
    };
    const isHit = (target: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y);
      if (!hit) return false;
      const control = hit.closest('label')?.control;
      return target.contains(hit) || control === target;
    };
    const reach = (target: Element, x: number, y: number, stepX: number, stepY: number) => {
      let steps = 0;
      while (steps < least && isHit(target, x + (steps + 0.5) * stepX, y + (steps + 0.5) * stepY)) steps += 0.5;
      return steps;
    };
    const findings = new Set<string>();
    let tried = 0;
    const place = document.querySelector('[role=dialog]') ?? document;
    for (const target of place.querySelectorAll(pressable)) {
      if (target.closest('[inert]') || target.matches(':disabled, [type=hidden]') || isLinkInText(target)) continue;
      if (!target.checkVisibility({ visibilityProperty: true })) continue;
      const label = target instanceof HTMLInputElement ? target.labels?.[0] : undefined;
      const isDrawnByLabel = target.matches('[type=radio], [type=checkbox]') && target.clientWidth < 8;
      const shown = isDrawnByLabel && label ? label : target;
      shown.scrollIntoView({ block: 'center', behavior: 'instant' });
      const [box] = shown.getClientRects();
      // Shown to those only who come by the keyboard, or by a screen reader.
      if (!box || box.width < 2 || box.bottom < 0 || target.matches('[type=file]')) continue;
      tried += 1;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const width = reach(target, x, y, -1, 0) + reach(target, x, y, 1, 0);
      const height = reach(target, x, y, 0, -1) + reach(target, x, y, 0, 1);
      if (width >= least - tolerance && height >= least - tolerance) continue;
      const name = target.getAttribute('aria-label') ?? label?.textContent ?? target.textContent ?? '';
      findings.add(`${target.tagName.toLowerCase()} '${name.trim().slice(0, 40)}' ${width} × ${height}`);
    }
    return tried === 0 ? ['has nothing to press'] : [...findings];
  });
}
