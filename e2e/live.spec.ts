import type { Page } from '@playwright/test';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { card, pressButton } from './stipend-screen.ts';
import { demoPassword, expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const ada = 'ada@people.example';
const bea = 'bea@people.example';
let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(ada);
  const names = { firstName: 'Bea', lastName: 'Admin', trackType: null };
  await createSignInWithPassword(instance.db, { ...names, email: bea, role: 'admin', password: demoPassword });
  const { id: cohortId } = await buildCohort(instance.db, { status: 'planning' });
  for (const firstName of ['Nadia', 'Luc', 'Vera', 'Paul']) {
    const { id: fellowId } = await buildParticipant(instance.db, { firstName });
    await buildStipend(instance.db, { cohortId, fellowId, weekNumber: 2 });
  }
});
test.afterAll(() => instance.stop());

/** Opens the dashboard where it is listening, so that what another person does from here on reaches it. */
async function openDashboard(page: Page, email: string) {
  await signIn(page, instance.url, email);
  const listening = page.waitForResponse('**/api/live');
  await page.goto(`${instance.url}/dashboard`);
  await listening;
  await expect(stipendsToApprove(page)).toContainText('4 waiting');
}

function stipendsToApprove(page: Page) {
  return page.getByRole('listitem').filter({ hasText: 'Eligible stipends to approve' });
}

test('after a bulk approval nothing waits on the own dashboard, nor on the one that another admin has open', async ({
  page,
  openWindow,
}) => {
  const other = await openWindow();
  await openDashboard(other, bea);
  await openDashboard(page, ada);
  await page.getByRole('link', { name: 'Eligible stipends to approve' }).click();
  await expect(card(page, 'Pending Approval')).toContainText('4');
  await pressButton(page, 'Bulk Approve Eligible');
  await page.getByRole('button', { name: 'Approve 4 stipends, $2,000' }).click();
  await expect(toast(page, 'Bulk Approval Complete')).toBeVisible();
  await expect(stipendsToApprove(other)).toContainText('None');
  await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click();
  await expect(stipendsToApprove(page)).toContainText('None');
});
