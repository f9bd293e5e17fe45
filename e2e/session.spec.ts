import type { Page } from '@playwright/test';
import { readSession } from '#contract/accounts.ts';
import { houseZone } from '#contract/house-zone.ts';
import { readTrainingCalendar } from '#contract/learning.ts';
import { dayAt } from '#contract/weeks.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { heading, pathOf, sidebar } from './shell-people.ts';
import { demoPassword, expect, signIn, test } from './support.ts';

interface Member {
  name: string;
  email: string;
  /** The title of the cohort's one activity. Nobody outside the cohort sees it. */
  activity: string;
}

const robin: Member = { name: 'Robin Reyes', email: 'robin@tabs.example', activity: 'Relay lab of the east' };
const quinn: Member = { name: 'Quinn Quist', email: 'quinn@tabs.example', activity: 'Meter lab of the west' };

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('ada@tabs.example');
  await buildMember(robin);
  await buildMember(quinn);
});
test.afterAll(() => instance.stop());

test.describe('another person signs in', () => {
  test('AUTH-40 another tab signs in as somebody else: at once nothing of the former person is shown', async ({
    page,
    context,
  }) => {
    await enter(page, robin);
    await page.goto(`${instance.url}/training-calendar`);
    await expect(page.getByText(robin.activity)).toBeVisible();
    const calendar = await hold(page, readTrainingCalendar.path);
    const other = await context.newPage();
    await enter(other, quinn);
    await other.goto(`${instance.url}/dashboard`);
    await expect(sidebar(other)).toContainText(quinn.name);
    await expect(sidebar(page)).toContainText(quinn.name);
    await expect(page.getByText(robin.name)).toHaveCount(0);
    await expect(page.getByText(robin.activity)).toHaveCount(0);
    calendar.release();
    await expect(page.getByText(quinn.activity)).toBeVisible();
    await expect(page.getByText(robin.activity)).toHaveCount(0);
  });

  test('AUTH-40 ROUTE-21 ROUTE-31 signing out in one tab takes the screen from the other at once', async ({
    page,
    context,
  }) => {
    await enter(page, robin);
    await page.goto(`${instance.url}/training-calendar`);
    await expect(page.getByText(robin.activity)).toBeVisible();
    const other = await context.newPage();
    await other.goto(`${instance.url}/change-password`);
    await sidebar(other).getByRole('button', { name: 'Sign Out' }).click();
    await expect(heading(other, 'Sign in')).toBeVisible();
    await expect(heading(page, 'Authentication Required')).toBeVisible();
    await expect(page.getByText(robin.activity)).toHaveCount(0);
    await expect(sidebar(page)).toHaveCount(0);
  });

  test('a person who signs in after somebody in the same tab sees nothing of theirs, not even while the own data is on its way', async ({
    page,
  }) => {
    await enter(page, robin);
    await page.goto(`${instance.url}/training-calendar`);
    await expect(page.getByText(robin.activity)).toBeVisible();
    await sidebar(page).getByRole('button', { name: 'Sign Out' }).click();
    await expect(heading(page, 'Sign in')).toBeVisible();
    await page.getByLabel('Email', { exact: true }).fill(quinn.email);
    await page.getByLabel('Password', { exact: true }).fill(demoPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(sidebar(page)).toContainText(quinn.name);
    const calendar = await hold(page, readTrainingCalendar.path);
    await sidebar(page).getByRole('link', { name: 'My Activities' }).click();
    await expect(heading(page, 'Training Calendar')).toBeVisible();
    await expect(page.getByText(robin.activity)).toHaveCount(0);
    calendar.release();
    await expect(page.getByText(quinn.activity)).toBeVisible();
  });

  test('ROUTE-31 an answer from before the sign-out, arriving after it, does not bring the person back', async ({
    pageInNewBrowser: page,
  }) => {
    await enter(page, robin);
    await page.goto(`${instance.url}/change-password`);
    await expect(heading(page, 'Change Password')).toBeVisible();
    const late = await hold(page, readSession.path, { times: 1 });
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await late.isAsked;
    const shown: string[] = [];
    await page.exposeFunction('noteHeading', (text: string) => shown.push(text));
    await page.evaluate(() => {
      const note = Reflect.get(window, 'noteHeading') as (text: string) => void;
      new MutationObserver(() => note(document.querySelector('h1')?.textContent ?? '')).observe(document.body, {
        childList: true,
        subtree: true,
      });
    });
    await sidebar(page).getByRole('button', { name: 'Sign Out' }).click();
    await expect(heading(page, 'Sign in')).toBeVisible();
    late.release();
    await late.isAnswered;
    await page.getByLabel('Email', { exact: true }).fill(robin.email);
    await expect(sidebar(page)).toHaveCount(0);
    expect(pathOf(page)).toBe('/login');
    expect(new URL(page.url()).search).toBe('');
    expect(shown).not.toContain('Authentication Required');
  });
});

async function buildMember({ name, email, activity }: Member): Promise<void> {
  const { db } = instance;
  const [firstName = '', lastName = ''] = name.split(' ');
  const person = { firstName, lastName, email, role: 'participant', trackType: 'fellowship' } as const;
  const id = await createSignInWithPassword(db, { ...person, password: demoPassword });
  const startDate = dayAt(new Date(), houseZone);
  const cohort = await buildCohort(db, { startDate, curriculumVersion: id });
  await enrol(db, { cohortId: cohort.id, participantId: id });
  await buildActivity(db, { cohortId: cohort.id, title: activity });
}

/** Replaces any session that the browser has. */
async function enter(page: Page, { email }: Member): Promise<void> {
  await signIn(page, instance.url, email);
}

/** Reads the endpoint's answers from the server at once, but lets them reach the page only when released. */
async function hold(page: Page, path: string, options: { times?: number } = {}) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await released.promise;
      await route.fulfill({ response });
      answered.resolve();
    },
    options,
  );
  return { isAsked: asked.promise, isAnswered: answered.promise, release: () => released.resolve() };
}
