import type { Page } from '@playwright/test';
import { submitAssignment } from '#contract/submissions.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, test } from './support.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('ada@uploads.example');
});
test.afterAll(() => instance.stop());

test('nothing is handed in while its file is on the way: it waits, and a cancelled upload takes the wish back', async ({
  page,
}) => {
  const { participant, session } = await buildMember(instance);
  const activity = await session('Substation walk-down', 1, -7);
  const assignment = await buildAssignment(instance.db, { trainingActivityId: activity.id, title: 'Field report' });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  const address = submitAssignment.path.replace(':id', assignment.id);
  const handedIn: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === submitAssignment.method && pathname === address) handedIn.push(pathname);
  });
  const waits = page.getByText('We hand in your work once the file is uploaded.');
  const submit = page.getByRole('button', { name: 'Submit Assignment' });

  const pieces = await holdPieces(page);
  await page.getByRole('textbox', { name: 'Your text' }).fill('Three breakers were open');
  await choose(page, 'first.txt');
  await pieces.isSent();
  await submit.click();
  await expect(waits).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(waits).toHaveCount(0);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  expect(handedIn).toEqual([]);

  await choose(page, 'second.txt');
  await pieces.isSent();
  await submit.click();
  await expect(waits).toBeVisible();
  expect(handedIn).toEqual([]);
  pieces.release();
  await expect(page.getByText('Assignment Submitted')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download second.txt' })).toBeVisible();
  expect(handedIn).toHaveLength(1);
});

async function choose(page: Page, name: string): Promise<void> {
  const buffer = Buffer.from(`4, 8, 15 in ${name}`);
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
}

/** Holds every piece of a file until it is released. */
async function holdPieces(page: Page) {
  const released = Promise.withResolvers<void>();
  const isPiece = (method: string, url: string) =>
    /^(PATCH|POST)$/.test(method) && new URL(url).pathname.startsWith('/api/uploads');
  let sent = 0;
  let seen = 0;
  await page.route('**/api/uploads**', async (route, request) => {
    if (!isPiece(request.method(), request.url())) return route.continue();
    sent += 1;
    await released.promise;
    await route.continue();
  });
  return {
    isSent: async () => {
      await expect.poll(() => sent).toBeGreaterThan(seen);
      seen = sent;
    },
    release: () => released.resolve(),
  };
}
