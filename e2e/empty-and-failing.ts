import type { Page } from '@playwright/test';
import { readSession } from '#contract/accounts.ts';
import { listenLive } from '#contract/live.ts';
import { newId } from '#server/platform/ids.ts';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';

/** An instance with the demo's visitors and nothing else: no program, no cohort, no work. */
export async function startWithoutProgramme(): Promise<InstanceWithDatabase> {
  const instance = await startInstanceWithDatabase('ada@people.example');
  const roles = { newcomer: 'participant', participant: 'participant', coach: 'coach', admin: 'admin' } as const;
  for (const [visitor, role] of Object.entries(roles)) {
    await createSignInWithPassword(instance.db, {
      firstName: 'Robin',
      lastName: 'Reyes',
      email: `${visitor}@demo.example`,
      role,
      trackType: visitor === 'participant' ? 'fellowship' : null,
      password: demoPassword,
    });
  }
  return instance;
}

/** In a place that names one record, a record that is not there. */
export function placeOfNobody(place: string): string {
  return place.replace(/\/one$/, `/${newId()}`);
}

/** The server answers who is signed in, and fails at every other read. */
export async function failReads(page: Page, { isAdmin }: { isAdmin: boolean }): Promise<void> {
  const whom = isAdmin ? 'whoever runs Switchyard' : 'an admin';
  const answered = [readSession.path, listenLive.path];
  const problem = {
    type: 'about:blank',
    title: 'Server error',
    status: 500,
    code: 'internal',
    detail: `Something went wrong. Please try again. If it happens again, tell ${whom} this reference: 5f0c6ad21b7e.`,
    instance: null,
    errors: null,
  };
  await page.route('**/api/**', (route) => {
    const request = route.request();
    if (request.method() !== 'GET' || answered.includes(new URL(request.url()).pathname)) return route.continue();
    return route.fulfill({ status: problem.status, json: problem, contentType: 'application/problem+json' });
  });
}
