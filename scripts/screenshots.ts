import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { readTrainingCalendar } from '#contract/learning.ts';
import { type Role, roles } from '#contract/roles.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { startInstance } from '../e2e/instance.ts';
import { requireBrowser } from './browser.ts';
import { buildWebWhenStale } from './build-web.ts';

const folder = 'screenshots';
const password = 'Power-Up-2026!';
const sizes = [
  { name: '1280', width: 1280, height: 800 },
  { name: '360', width: 360, height: 760 },
];
const schemes = ['light', 'dark'] as const;
const signedOutPaths = ['/login', '/register', '/password-reset', '/set-password'];
const everybody = ['/submissions', '/training-calendar', '/cohorts', '/preferences/notifications', '/change-password'];
const pathsOf: Record<Role, string[]> = {
  participant: ['/dashboard', '/fellowship', '/fellowship/modules', '/resources', ...everybody],
  coach: ['/dashboard', '/dashboard?tab=sessions', '/resources', '/submissions?tab=pending', ...everybody],
  admin: [
    '/dashboard',
    '/admin/bulk-invitations',
    '/admin/user-management',
    '/admin/assign-participants',
    '/admin/create-superadmin',
    '/admin/training-management',
    '/admin/content-management',
    '/admin/resources-management',
    '/admin/stipend-management',
    '/admin/programme-setup',
    ...everybody,
  ],
};

process.chdir(path.join(import.meta.dirname, '..'));
if (!buildWebWhenStale()) process.exit(1);
const instance = await startInstance({ DEMO: '1' });
const browser = await chromium.launch({
  executablePath: requireBrowser(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-sync',
  ],
});
let taken = 0;
try {
  for (const size of sizes) {
    for (const scheme of schemes) {
      await photograph(browser, { ...size, scheme }, null);
      for (const role of roles) await photograph(browser, { ...size, scheme }, role);
    }
  }
} finally {
  await browser.close();
  await instance.stop();
}
console.log(`${taken} pictures in ${folder}/`);

interface Look {
  name: string;
  width: number;
  height: number;
  scheme: (typeof schemes)[number];
}

async function photograph(inBrowser: Browser, look: Look, role: Role | null): Promise<void> {
  const { width, height, scheme: colorScheme } = look;
  const context = await inBrowser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const places = role ? [...pathsOf[role], ...(await enter(page, role))] : signedOutPaths;
  const target = path.join(folder, look.name, look.scheme, role ?? 'signed-out');
  mkdirSync(target, { recursive: true });
  for (const place of places) {
    await page.goto(`${instance.url}${place}`);
    await page.locator('h1').first().waitFor();
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
    await page.screenshot({ path: path.join(target, `${nameOf(place)}.png`), fullPage: true });
    taken += 1;
  }
  await context.close();
}

/** Signs in, and answers with pages of records that this person sees. */
async function enter(page: Page, role: Role): Promise<string[]> {
  await page.goto(`${instance.url}/login`);
  await page.getByLabel('Email').fill(`${role}@demo.example`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');
  const calendar = await page.request.get(`${instance.url}${readTrainingCalendar.path}`);
  const [activity] = readTrainingCalendar.response.parse(await calendar.json()).activities;
  const listed = await page.request.get(`${instance.url}${listSubmissions.path}`);
  const [submission] = listSubmissions.response.parse(await listed.json()).rows;
  return [
    ...(activity ? [`/activity/${activity.id}`] : []),
    ...(submission ? [`/assignment/${submission.assignmentId}`] : []),
  ];
}

function nameOf(place: string): string {
  return (
    place
      .replace(/[0-9a-f-]{36}/, 'one')
      .replace(/[^a-z]+/g, '-')
      .replace(/^-|-$/g, '') || 'home'
  );
}
