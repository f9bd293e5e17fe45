import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import { listImports } from '#contract/imports.ts';
import { readTrainingCalendar } from '#contract/learning.ts';
import { listProgrammes } from '#contract/programmes.ts';
import { listSubmissions } from '#contract/submissions.ts';
import type { Instance } from './instance.ts';
import { heightOfLooks, looks, waitUntilSettled } from './looks.ts';

/**
 * The visitors of the demo programme: its three people, one person whom nobody has enrolled, and somebody signed out.
 */
export const visitors = ['signed-out', 'newcomer', 'participant', 'coach', 'admin'] as const;
export type Visitor = (typeof visitors)[number];

const anActivity = '/activity/one';
const anAssignment = '/assignment/one';
const stipendsOfOne = '/stipends/one';
const aPerson = '/people/one';
const anImport = '/admin/bulk-invitations/one';
const aProgram = '/admin/programme-setup?tab=programs&program=one';
const everybody = ['/dashboard', '/submissions', '/training-calendar', '/cohorts'];
/** These are the same for everybody, so only two of the visitors open them. */
const ownAccount = ['/preferences/notifications', '/change-password', '/account/security'];
const enrolled = [...everybody, anActivity, anAssignment];

/** Every screen and its visitors. axe checks these. */
export const pagesOf: Record<Visitor, string[]> = {
  'signed-out': [
    '/login',
    '/login/mail',
    '/register',
    '/confirm-account',
    '/confirm-email',
    '/password-reset',
    '/set-password',
    '/first-admin',
  ],
  newcomer: [...everybody, '/fellowship', '/fellowship/modules', '/resources', '/coaching'],
  participant: [
    ...enrolled,
    ...ownAccount,
    '/my-stipends',
    '/fellowship',
    '/fellowship/modules',
    '/resources',
    '/coaching',
    '/admin',
  ],
  coach: [
    ...enrolled,
    '/cohort-progress',
    '/attendance-corrections',
    '/stipend-questions',
    stipendsOfOne,
    aPerson,
    '/dashboard?tab=booking',
    '/dashboard?tab=sessions',
    '/dashboard?tab=ratings',
    '/submissions?tab=pending',
    '/resources',
    '/fellowship',
  ],
  admin: [
    ...enrolled,
    ...ownAccount,
    '/cohort-progress',
    '/attendance-corrections',
    '/stipend-questions',
    stipendsOfOne,
    aPerson,
    '/admin/bulk-invitations',
    anImport,
    '/admin/user-management',
    '/admin/assign-participants',
    '/admin/create-superadmin',
    '/admin/training-management',
    '/admin/content-management',
    '/admin/resources-management',
    '/admin/stipend-management',
    '/admin/stipend-management?tab=reconciliation',
    '/admin/programme-setup',
    '/admin/programme-setup?tab=programs',
    aProgram,
    '/admin/deliveries',
    '/admin/programme-setup?tab=modules',
    '/admin/programme-setup?tab=activities',
    '/admin/audit-log',
    '/admin/status',
  ],
};

export const everyPlace = [...new Set(Object.values(pagesOf).flat())];

export async function signInAs(context: BrowserContext, demo: Instance, visitor: Visitor, password: string) {
  if (visitor === 'signed-out') return;
  const data = { email: `${visitor}@demo.example`, password };
  const answer = await context.request.post(`${demo.url}/api/auth/sign-in/email`, { data });
  if (!answer.ok()) throw new Error(`The ${visitor} could not sign in: ${await answer.text()}`);
}

/**
 * Opens the page in the first look. Among activities and assignments it opens one that the finder sees. If the app is
 * already open, it navigates there as a link would.
 */
export async function openPage(
  page: Page,
  demo: Instance,
  place: string,
  finder: APIRequestContext = page.request,
): Promise<void> {
  const [{ colorScheme, width }] = looks;
  await page.setViewportSize({ width, height: heightOfLooks });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const address = new URL(demo.url + (await addressOf(finder, demo, place)));
  const present = new URL(page.url());
  const isLink = present.origin === address.origin && present.pathname !== address.pathname;
  if (isLink) await followLink(page, address);
  else await page.goto(address.href);
  await waitUntilSettled(page);
}

async function followLink(page: Page, address: URL): Promise<void> {
  await page.evaluate((href) => {
    for (const heading of document.querySelectorAll('h1')) heading.setAttribute('data-left', '');
    history.pushState(null, '', href);
  }, address.href);
  await page.locator('h1:not([data-left])').first().waitFor();
}

/**
 * Shows only a few of the rows that fill a page and are all alike. axe checks every cell again in each look. That takes
 * many times as long, for what it has already seen.
 */
export function withFewRows(visitor: Visitor, place: string): string {
  const isReviewer = visitor === 'coach' || visitor === 'admin';
  if (place === '/submissions') return isReviewer ? `${place}?search=Whitfield` : place;
  if (place === '/admin/user-management') return `${place}?role=coach`;
  if (place === '/admin/training-management') return `${place}?week=5`;
  return place === '/admin/programme-setup?tab=activities' ? `${place}&week=5` : place;
}

/** Fills in what a place leaves open: an activity, an assignment, a person that the asker sees. */
export async function addressOf(request: APIRequestContext, demo: Instance, place: string): Promise<string> {
  if (place === anActivity) return `/activity/${await activityOfTheWeek(request, demo)}`;
  if (place === anAssignment) return `/assignment/${(await aSubmission(request, demo)).assignmentId}`;
  if (place === stipendsOfOne) return `/stipends/${(await aSubmission(request, demo)).participantId}`;
  if (place === aPerson) return `/people/${(await aSubmission(request, demo)).participantId}`;
  if (place === anImport) return `/admin/bulk-invitations/${await newestImport(request, demo)}`;
  if (place === aProgram) return place.replace(/one$/, await firstProgram(request, demo));
  return place;
}

async function activityOfTheWeek(request: APIRequestContext, demo: Instance): Promise<string> {
  const answer = await request.get(demo.url + readTrainingCalendar.path);
  const { activities, currentWeek } = readTrainingCalendar.response.parse(await answer.json());
  const activity = activities.find(({ weekNumber }) => weekNumber === currentWeek) ?? activities[0];
  if (!activity) throw new Error('The training calendar is empty.');
  return activity.id;
}

async function aSubmission(request: APIRequestContext, demo: Instance) {
  const answer = await request.get(`${demo.url}${listSubmissions.path}?mine=true`);
  const [submission] = listSubmissions.response.parse(await answer.json()).rows;
  if (!submission) throw new Error('There is no submission.');
  return submission;
}

async function newestImport(request: APIRequestContext, demo: Instance): Promise<string> {
  const answer = await request.get(demo.url + listImports.path);
  const [upload] = listImports.response.parse(await answer.json()).rows;
  if (!upload) throw new Error('Nothing was imported.');
  return upload.id;
}

async function firstProgram(request: APIRequestContext, demo: Instance): Promise<string> {
  const answer = await request.get(demo.url + listProgrammes.path);
  const [program] = listProgrammes.response.parse(await answer.json()).rows;
  if (!program) throw new Error('There is no program.');
  return program.id;
}
