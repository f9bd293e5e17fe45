import { opensOn } from '#contract/learning.ts';
import { addDays } from '#contract/weeks.ts';
import { buildAssignment, buildContentItem } from '#test/factories/curriculum.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter, today } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());

test('a locked activity says when it opens in its head, at its ticks and where it is completed', async ({ page }) => {
  const { participant, session } = await buildMember(instance);
  const { id } = await session('Session of week six', 6, 5);
  await buildContentItem(instance.db, { trainingActivityId: id, title: 'Chapter one' });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/activity/${id}`);
  const opens = opensOn(addDays(today(), 5));
  await expect(page.getByText('Locked', { exact: true })).toBeVisible();
  const tick = page.getByRole('checkbox', { name: 'Done: Chapter one' });
  await expect(tick).toBeDisabled();
  await expect(tick).toHaveAccessibleDescription(opens);
  const block = page.getByRole('region', { name: 'Complete This Activity' });
  await expect(block.getByText(opens)).toBeVisible();
  await expect(block.getByRole('button', { name: 'Mark as complete' })).toBeDisabled();
  await expect(page.getByText(opens)).toHaveCount(3);
  await expectAccessible(page);
});

test('an activity asks once about required items that are open, says what it brought, and leads to the next', async ({
  page,
}) => {
  const { participant, session } = await buildMember(instance);
  const first = await session('Relay lab', 5, 0);
  const second = await session('Meter lab', 5, 0);
  const required = { isRequired: true };
  await buildContentItem(instance.db, { trainingActivityId: first.id, title: 'Chapter one', ...required });
  await buildContentItem(instance.db, { trainingActivityId: first.id, title: 'Chapter two', isRequired: false });
  await buildContentItem(instance.db, { trainingActivityId: second.id, title: 'Chapter three', ...required });
  await buildAssignment(instance.db, { trainingActivityId: second.id, title: 'Meter report' });
  await enter(page, instance, participant);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${instance.url}/activity/${first.id}`);
  const block = page.getByRole('region', { name: 'Complete This Activity' });
  const complete = block.getByRole('button', { name: 'Mark as complete' });
  await complete.click();
  const question = page.getByRole('dialog', { name: '1 required item is open' });
  await expect(question.getByRole('listitem')).toHaveText(['Chapter one']);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(complete).toBeFocused();

  const isKept = page.waitForResponse('**/tick');
  await page.getByLabel('Done: Chapter one').check();
  await isKept;
  await complete.click();
  await expect(toast(page, 'Activity Completed')).toBeVisible();
  await expect(block).toContainText(
    "1 more activity for this week's $500. You also need 1 more assignment and a rating of 3.0 or more.",
  );
  await expect(block).not.toContainText('Still open');
  await expect(block.getByRole('heading', { name: 'Complete This Activity' })).toBeFocused();
  await expectAccessible(page);

  await block.getByRole('link', { name: 'Meter lab' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Meter lab' })).toBeVisible();
  await complete.click();
  const both = page.getByRole('dialog', { name: '2 required items are open' });
  await both.getByRole('button', { name: 'Complete anyway' }).click();
  await expect(block.getByText(/^Still open: .*Chapter three/)).toBeVisible();
  await expect(block).toContainText('These are enough activities');
  await expect(block.getByRole('link', { name: 'Meter report' })).toBeVisible();
});
