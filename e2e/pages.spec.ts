import type { Browser, Page } from '@playwright/test';
import type { Role } from '#contract/roles.ts';
import type { Instance } from './instance.ts';
import { demoPassword, expect, expectAccessible, test } from './support.ts';

const forEveryRole = [
  '/dashboard',
  '/cohorts',
  '/submissions',
  '/training-calendar',
  '/preferences/notifications',
  '/change-password',
];
const pathsOf: Record<Role | 'nobody', string[]> = {
  nobody: ['/login', '/register', '/password-reset', '/set-password'],
  participant: [...forEveryRole, '/fellowship', '/fellowship/modules', '/resources', '/admin'],
  coach: [...forEveryRole, '/resources', '/submissions?tab=pending', '/fellowship'],
  admin: [
    ...forEveryRole,
    '/admin/bulk-invitations',
    '/admin/content-management',
    '/admin/user-management',
    '/admin/create-superadmin',
    '/admin/training-management',
    '/admin/assign-participants',
    '/admin/resources-management',
    '/admin/stipend-management',
    '/admin/programme-setup',
  ],
};

test.setTimeout(180_000);

for (const who of ['nobody', 'participant', 'coach', 'admin'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 360]) {
      test(`each page of ${who}, ${colorScheme} at ${width} px, has a title, nothing for axe to find and nothing beside the screen`, async ({
        browser,
        demo,
      }) => {
        const page = await openAs(browser, demo, { who, colorScheme, width });
        const findings: string[] = [];
        for (const path of pathsOf[who]) {
          await page.goto(demo.url + path);
          await expectSettled(page);
          findings.push(...(await findingsOn(page)).map((finding) => `${path}: ${finding}`));
        }
        expect(findings).toEqual([]);
        await page.context().close();
      });
    }
  }
}

interface Visitor {
  who: Role | 'nobody';
  colorScheme: 'light' | 'dark';
  width: number;
}

async function openAs(browser: Browser, demo: Instance, { who, colorScheme, width }: Visitor): Promise<Page> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  if (who !== 'nobody') {
    const data = { email: `${who}@demo.example`, password: demoPassword };
    const answer = await page.request.post(`${demo.url}/api/auth/sign-in/email`, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  return page;
}

/** The screen has its heading and waits for nothing more. */
async function expectSettled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** All of one page together, so that one run names whatever there is to mend. */
async function findingsOn(page: Page): Promise<string[]> {
  const findings: string[] = [];
  await expectAccessible(page).catch((error: Error) => findings.push(error.message));
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (excess > 0) findings.push(`scrolls sideways by ${excess} px`);
  const headings = await page.getByRole('heading', { level: 1 }).count();
  if (headings !== 1) findings.push(`has ${headings} headings of level 1`);
  const title = await page.title();
  if (!/^.+ · Switchyard$/.test(title)) findings.push(`is titled '${title}'`);
  return findings;
}
