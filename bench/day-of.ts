import type { Page } from '@playwright/test';
import type { Role } from '#contract/roles.ts';
import { activeFellows, demoCoaches, lineWorkers } from '#server/db/demo/names.ts';

/** A screen that is opened, or something that is done on the one that is open. */
export type Step = string | Act;

export interface Act {
  does: string;
  /** False if the demo program has nothing today to do it with. */
  run(page: Page): Promise<boolean>;
}

export interface Day {
  /** How many people of the demo program have such a day. */
  people: number;
  /** How long the app is in sight. Each two minutes of that ask for the session once. */
  hoursInSight: number;
  /** Each opens the app anew, with the files that the browser has kept. The first one signs in. */
  visits: Step[][];
}

const demoAdmins = 2;

const readNotices: Act = {
  does: 'opens the notices',
  run: async (page) => {
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    return true;
  },
};
const sendMessage: Act = {
  does: 'sends a message',
  run: async (page) => {
    const field = page.getByRole('textbox', { name: /^Message to / });
    if (!(await field.isVisible()))
      await page.getByRole('region', { name: 'Contacts' }).getByRole('link').first().click();
    await field.fill('How was the substation?');
    const sent = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await page.getByRole('button', { name: 'Send message' }).click();
    await sent;
    return true;
  },
};
const tick: Act = {
  does: 'ticks a content item',
  run: async (page) => {
    const box = page
      .getByRole('checkbox', { name: /^Done: /, checked: false })
      .and(page.locator(':enabled'))
      .first();
    if ((await box.count()) === 0) return false;
    const kept = page.waitForResponse('**/tick');
    await box.check();
    await kept;
    return true;
  },
};
const completeActivity: Act = {
  does: 'completes an activity',
  run: async (page) => {
    const button = page.getByRole('button', { name: 'Mark as complete' });
    if (!(await button.isEnabled().catch(() => false))) return false;
    await button.click();
    const anyway = page.getByRole('button', { name: 'Complete anyway' });
    const done = page.getByText('Activity Completed').first();
    await anyway.or(done).first().waitFor();
    if (await anyway.isVisible()) await anyway.click();
    await done.waitFor();
    return true;
  },
};
const search: Act = {
  does: 'searches for a person',
  run: async (page) => {
    const found = page.waitForResponse((answer) => answer.url().includes('search='));
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('Whitfield');
    await found;
    return true;
  },
};

export const days: Record<Role, Day> = {
  participant: {
    people: activeFellows.length + lineWorkers.length,
    hoursInSight: 1,
    visits: [
      ['/dashboard', readNotices, '/my-stipends'],
      ['/dashboard', '/training-calendar', '/activity/one', tick, completeActivity, '/assignment/one', '/resources'],
      ['/dashboard', '/fellowship', '/submissions', '/cohorts', sendMessage],
    ],
  },
  coach: {
    people: demoCoaches.length,
    hoursInSight: 4,
    visits: [
      ['/dashboard', readNotices, '/dashboard?tab=sessions', '/dashboard?tab=ratings', '/training-calendar'],
      ['/dashboard', '/submissions?tab=pending', '/assignment/one', '/people/one', '/stipends/one', '/cohort-progress'],
      ['/dashboard', '/attendance-corrections', '/cohorts', sendMessage, sendMessage, sendMessage],
    ],
  },
  admin: {
    people: demoAdmins,
    hoursInSight: 6,
    visits: [
      ['/dashboard', readNotices, '/admin/user-management', search, '/people/one', '/cohort-progress', '/stipends/one'],
      ['/dashboard', '/admin/stipend-management', '/admin/stipend-management?tab=reconciliation', '/stipend-questions'],
      ['/dashboard', '/admin/training-management', '/admin/content-management', '/admin/programme-setup'],
      ['/dashboard', '/submissions', '/admin/deliveries', '/admin/audit-log', '/admin/status', '/cohorts'],
    ],
  },
};
