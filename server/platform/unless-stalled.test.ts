import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { unlessStalled } from './unless-stalled.ts';

test('bytes that come are passed on as they are', async () => {
  const bytes = new PassThrough();
  bytes.write('all ');
  bytes.end('of it');
  expect((await buffer(unlessStalled(bytes, 60_000))).toString()).toBe('all of it');
});

test('bytes that stop coming end with an error, and so does their source', async () => {
  const bytes = new PassThrough();
  bytes.write('some');
  await expect(buffer(unlessStalled(bytes, 20))).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(bytes.destroyed).toBe(true);
});

test('a reader that closes at once lets the source go', async () => {
  const bytes = new PassThrough();
  const closed = once(bytes, 'close');
  unlessStalled(bytes, 60_000).destroy();
  await closed;
  expect(bytes.destroyed).toBe(true);
});
