import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildCoach } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@my-stipends.example');
});
test.afterAll(() => instance.stop());

test('a participant reads every week, questions one, and reads the answer of the coach without a reload', async ({
  page,
  openWindow,
}) => {
  const { participant, cohort, session } = await buildMember(instance);
  const coach = await buildCoach(instance.db, { firstName: 'Cora', lastName: 'Cole' });
  await assignCoach(instance.db, { participantId: participant.id, coachId: coach.id });
  await session('Relay lab', 5, -1);
  const own = { fellowId: participant.id, cohortId: cohort.id };
  await buildStipend(instance.db, { ...own, weekNumber: 3, paymentStatus: 'paid', stipendAmountCents: 45_050 });
  await buildStipend(instance.db, { ...own, weekNumber: 4, paymentStatus: 'denied' });
  await enter(page, instance, participant);
  const address = `**${listOwnStipendWeeks.path}*`;
  await page.route(address, (route) => route.fulfill({ status: 503, body: 'away' }));
  await page.goto(`${instance.url}/fellowship-dashboard`);
  await page.getByRole('link', { name: 'All weeks, payments and questions' }).click();
  await expect(page.getByRole('alert')).toContainText('The stipends could not be loaded');
  await tryAgain(page, address);

  await expect(page.getByRole('region', { name: 'Total earned' })).toContainText('$450.50');
  const present = page.getByRole('region', { name: /^Week 5, / });
  await expect(present).toContainText('0 of 1 activities attended (0%), 80% needed');
  await expect(present.getByRole('listitem').filter({ hasText: 'Relay lab' })).toContainText('not attended on');
  await expect(page.getByRole('region', { name: /^Week 3, / })).toContainText('$450.50 paid on');
  await expectAccessibleEverywhere(page);
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Statement (PDF)' }).click();
  expect((await file).suggestedFilename()).toMatch(/^stipend-statement-.*\.pdf$/);

  await page.getByRole('button', { name: 'Ask about this week: week 4' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Question week 4' });
  await expect(dialog.getByRole('textbox', { name: 'Your question' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Send question' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please write your question.');
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Your question' }).fill('Why was it denied?');
  await dialog.getByRole('button', { name: 'Send question' }).click();
  await expect(toast(page, 'Question Sent')).toBeVisible();
  const asked = page.getByRole('region', { name: /^Week 4, / });
  await expect(asked).toContainText('Waiting for an answer');

  const ofCoach = await openWindow();
  await enter(ofCoach, instance, coach);
  await ofCoach.goto(`${instance.url}/dashboard`);
  await ofCoach.getByRole('link', { name: 'Stipend questions', exact: true }).click();
  const questions = ofCoach.getByRole('region', { name: 'Questions about stipends' });
  await expect(questions).toContainText('Why was it denied?');
  await expectAccessibleEverywhere(ofCoach);
  await questions.getByRole('button', { name: 'Answer Robin Reyes about week 4' }).click();
  const answer = ofCoach.getByRole('dialog', { name: 'Answer about week 4' });
  await expect(answer).toContainText('Robin Reyes asks: Why was it denied?');
  await answer.getByRole('textbox', { name: 'Answer' }).fill('The report came too late.');
  await expectAccessible(ofCoach);
  await answer.getByRole('button', { name: 'Send answer' }).click();
  await expect(toast(ofCoach, 'Question Answered')).toBeVisible();
  await expect(ofCoach.getByText('No questions waiting')).toBeVisible();
  await ofCoach.goto(`${instance.url}/stipends/${participant.id}`);
  await expect(ofCoach.getByRole('heading', { level: 1 })).toHaveText('Stipends of Robin Reyes');
  await expect(ofCoach.getByRole('button', { name: /^Ask about this week/ })).toHaveCount(0);

  await expect(asked).toContainText('Cora Cole: The report came too late.');
});
