import { afterAll, beforeAll, expect, test } from 'vitest';
import { downloadFile } from '#contract/files.ts';
import { png } from '#test/factories/files.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { uploadFile } from '#test/support/uploads.ts';

let server: TestApp;
let participant: Client;
beforeAll(async () => {
  server = await startTestApp();
  participant = await server.as(await buildParticipant(server.db));
});
afterAll(() => server.close());

test('a file that the browser has kept is asked for anew, and only a person who may still read it is told that it is the same', async () => {
  const id = await uploadFile(participant, { area: 'my_files', name: 'picture.png' }, png);
  const address = downloadFile.path.replace(':id', id);
  const tag = (await participant.fetch(address)).headers.get('etag') ?? '';
  expect(tag).toMatch(/^"[^"]+"$/);
  const again = (client: Client, headers: Record<string, string>) => client.fetch(address, { headers });
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const answer = await again(participant, { 'if-none-match': known, range: 'bytes=0-3' });
    expect([
      answer.status,
      answer.headers.get('etag'),
      answer.headers.get('cache-control'),
      await answer.text(),
    ]).toEqual([304, tag, 'private, no-cache', '']);
  }
  expect((await again(participant, { 'if-none-match': '"other"' })).status).toBe(200);
  expect((await again(await server.as(null), { 'if-none-match': tag })).status).toBe(401);
  const stranger = await server.as(await buildParticipant(server.db));
  expect((await again(stranger, { 'if-none-match': tag })).status).toBe(404);
  const other = await uploadFile(participant, { area: 'my_files', name: 'picture.png' }, png);
  expect((await participant.fetch(downloadFile.path.replace(':id', other))).headers.get('etag')).not.toBe(tag);
});
