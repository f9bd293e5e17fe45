import { expect, type Page } from '@playwright/test';
import { listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { listContents } from '#contract/contents.ts';
import { createAdminUser } from '#contract/documented-functions.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { listImports } from '#contract/imports.ts';
import { createResource } from '#contract/resources.ts';
import type { Role } from '#contract/roles.ts';
import { listStipends } from '#contract/stipends.ts';
import { listTrainingActivities } from '#contract/training-activities.ts';
import { listUsers } from '#contract/user-management.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { demoPassword, signIn } from './support.ts';

export const addresses: Record<Role, string> = {
  participant: 'robin@people.example',
  coach: 'casey@people.example',
  admin: 'ada@people.example',
};
export const names: Record<Role, string> = { participant: 'Robin Reyes', coach: 'Casey Cole', admin: 'Ada Admin' };
export const roles: Role[] = ['participant', 'coach', 'admin'];
/** The admin screens, each with a call that it cannot do without. */
export const callsOfAdminScreens: Record<string, Endpoint> = {
  '/admin/bulk-invitations': listImports,
  '/admin/content-management': listContents,
  '/admin/user-management': listUsers,
  '/admin/create-superadmin': createAdminUser,
  '/admin/training-management': listTrainingActivities,
  '/admin/assign-participants': listParticipantsWithoutCoach,
  '/admin/resources-management': createResource,
  '/admin/stipend-management': listStipends,
};

/** An instance without the demo programme, with one person per role. */
export async function startInstanceWithRoles(): Promise<InstanceWithDatabase> {
  const instance = await startInstanceWithDatabase(addresses.admin);
  await addRolesTo(instance);
  return instance;
}

export async function addRolesTo({ db }: Pick<InstanceWithDatabase, 'db'>): Promise<void> {
  for (const role of ['participant', 'coach'] as const) {
    const [firstName = '', lastName = ''] = names[role].split(' ');
    const trackType = role === 'participant' ? ('fellowship' as const) : null;
    const person = { firstName, lastName, email: addresses[role], role, trackType, password: demoPassword };
    await createSignInWithPassword(db, person);
  }
}

/** Signs in without the form, which has tests of its own. */
export async function enter(instance: InstanceWithDatabase, page: Page, role: Role): Promise<void> {
  await signIn(page, instance.url, addresses[role]);
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
export const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' });
export const pathOf = (page: Page) => new URL(page.url()).pathname;

/** Expects the same headings, paragraphs, links and buttons at each address, and that the address does not change. */
export async function expectSameScreen(page: Page, title: string, origin: string, [first = '', ...others]: string[]) {
  const partsAt = async (path: string) => {
    await page.goto(origin + path);
    await expect(heading(page, title)).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    expect(pathOf(page)).toBe(path);
    const main = page.getByRole('main');
    const parts = ['heading', 'paragraph', 'link', 'button'] as const;
    return Promise.all(parts.map((part) => main.getByRole(part).allInnerTexts()));
  };
  const shown = await partsAt(first);
  expect(shown.flat().length).toBeGreaterThan(2);
  for (const path of others) expect(await partsAt(path), path).toEqual(shown);
}

/** Collects later requests for data, except the shell's own. */
export function dataRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(api|functions)\//.test(pathname) && !/^\/api\/(session|live)$/.test(pathname)) requests.push(pathname);
  });
  return requests;
}

/**
 * SEC1-13: tries one admin screen in the browser and all of them at the server. The server refuses before it looks
 * whether a record exists. web/app/screen-guards.test.tsx tries all screens.
 */
export async function expectAdminScreenRefused(page: Page, origin: string, role: Role) {
  await page.goto(`${origin}/admin/stipend-management`);
  await expectDenied(page, { role, required: 'admin' });
  const words = "You don't have permission to access stipend management.";
  await expect(page.getByText(words, { exact: true })).toBeVisible();
  for (const { name, method, path } of Object.values(callsOfAdminScreens)) {
    const url = origin + path.replace(':id', '00000000-0000-7000-8000-000000000000');
    const answer = await page.request.fetch(url, { method, ...(method === 'GET' ? {} : { data: {} }) });
    expect((await answer.json()).code, name).toBe('forbidden');
  }
}

export async function expectDenied(page: Page, { role, required }: { role: Role; required: string }) {
  await expect(heading(page, 'Access Denied')).toBeVisible();
  await expect(page.getByText(`Your role: ${role}. Required: ${required}.`)).toBeVisible();
}
