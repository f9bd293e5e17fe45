import { createUpload } from '#contract/files.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { expectAccessible } from './axe.ts';
import { participantInWeekFive } from './home-people.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, test } from './support.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());
test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

test('a phone takes a photo or chooses a file, says at the field what is refused before it is sent, and cuts nothing off', async ({
  page,
}) => {
  const { participant, session } = await buildMember(instance);
  const { id: trainingActivityId } = await session('Relay lab', 5, 0);
  const { id } = await buildAssignment(instance.db, { trainingActivityId, title: 'Relay report' });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/assignment/${id}`);
  await expect(page.getByText('Take a photo or choose a file')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Take a photo', exact: true })).toBeVisible();
  const camera = page.getByLabel('Photo to upload');
  await expect(camera).toHaveAttribute('capture', 'environment');
  await expect(camera).toHaveAttribute('accept', 'image/*');
  const file = page.getByLabel('Take a photo or choose a file', { exact: true });
  await expect(file).toHaveAttribute('accept', /^\.pdf,.*\.jpg,.*,image\/\*$/);

  const uploads: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(createUpload.path)) uploads.push(request.method());
  });
  await camera.setInputFiles({ name: 'photo.heic', mimeType: 'image/heic', buffer: Buffer.alloc(100) });
  await expect(page.getByRole('alert').filter({ hasText: /^File type not allowed/ })).toBeVisible();
  expect(uploads).toEqual([]);

  await page.route(`**${createUpload.path}`, () => undefined);
  const name = 'A photograph with a very long name of the padmount transformer.jpg';
  await camera.setInputFiles({ name, mimeType: 'image/jpeg', buffer: Buffer.alloc(100) });
  const cancel = page.getByRole('button', { name: 'Cancel' });
  const words = await cancel.getByText('Cancel').boundingBox();
  const form = await page.getByRole('main').boundingBox();
  if (!words || !form) throw new Error('The upload is not drawn.');
  expect(words.x + words.width).toBeLessThanOrEqual(form.x + form.width - 16);
  expect(await cancel.evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0);
  await expectAccessible(page);
});

test('in a conversation a phone takes a photo or chooses a file, and what is refused is said below the message', async ({
  page,
}) => {
  const { participant, coach } = await participantInWeekFive(instance);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/cohorts?with=${coach.id}`);
  await page.getByRole('button', { name: 'Attach a file' }).tap();
  await expect(page.getByRole('menuitem')).toHaveText(['Take a photo', 'Choose a file']);
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Choose a file' }).tap();
  await (await chosen).setFiles({ name: 'tool.exe', mimeType: 'application/x-msdownload', buffer: Buffer.alloc(10) });
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(/^File type not allowed/);
  await expectAccessible(page);
});
