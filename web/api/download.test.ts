import { notifications } from '@mantine/notifications';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exportUsers } from '#contract/user-management.ts';
import { problemFor } from '#server/platform/errors.ts';
import { unreachable } from './api-error.ts';
import { downloadAnswer, downloadStoredFile } from './download.ts';
import { askForProofBy } from './fresh-proof.ts';

const fileId = '0190b7a0-0000-7000-8000-000000000001';
const saved: string[] = [];
const told: unknown[] = [];
beforeEach(() => {
  saved.length = 0;
  told.length = 0;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.getAttribute('href') ?? '');
  });
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message, ...rest }) => {
    told.push({ type: (rest as Record<string, unknown>)['data-toast'], title, message });
    return 'shown';
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a file that can be read is handed to the browser under its own address, without a word', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push([address, init.headers]);
    return new Response('a', { status: 206 });
  });
  await downloadStoredFile(fileId);
  expect(asked).toEqual([[`/api/files/${fileId}`, expect.objectContaining({ range: 'bytes=0-0' })]]);
  expect(saved).toEqual([`/api/files/${fileId}`]);
  expect(told).toEqual([]);
});

test("SUBM-20 FILES-15 a refusal is told with the server's words, and nothing is saved", async () => {
  const says = 'File not found in storage. It may have been moved or deleted.';
  vi.stubGlobal('fetch', async () => Response.json(problemFor('not_found', says, fileId, null), { status: 404 }));
  await downloadStoredFile(fileId);
  expect(told).toEqual([{ type: 'error', title: 'Download Failed', message: says }]);
  expect(saved).toEqual([]);
});

test('FILES-15 without a connection the network is named', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await downloadStoredFile(fileId);
  expect(told).toEqual([{ type: 'error', title: 'Download Failed', message: unreachable }]);
  expect(saved).toEqual([]);
});

test('SUBM-19 FILES-16 an entry without a file says so and asks the server nothing', async () => {
  const asked = vi.fn();
  vi.stubGlobal('fetch', asked);
  await downloadStoredFile(null);
  const message = 'This submission does not have a file to download';
  expect(told).toEqual([{ type: 'error', title: 'No File', message }]);
  expect(asked).not.toHaveBeenCalled();
});

test('an export that needs a fresh proof is asked for again once the proof is given, and not without it', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:users', revokeObjectURL: () => undefined }));
  let isProved = false;
  vi.stubGlobal('fetch', async () =>
    isProved
      ? new Response('first_name\r\n')
      : Response.json(problemFor('proof_required', 'Please confirm that it is you.', fileId, null), { status: 403 }),
  );
  const refuse = askForProofBy(async () => false);
  await downloadAnswer(exportUsers, { query: {} }, 'users.csv');
  expect([saved, told]).toEqual([
    [],
    [{ type: 'error', title: 'Download Failed', message: 'Please confirm that it is you.' }],
  ]);
  refuse();
  const prove = askForProofBy(async () => {
    isProved = true;
    return true;
  });
  await downloadAnswer(exportUsers, { query: {} }, 'users.csv');
  prove();
  expect([saved, told.length]).toEqual([['blob:users'], 1]);
});
