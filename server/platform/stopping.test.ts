import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listenLive } from '#contract/live.ts';
import { openTestApp, startTestApp } from '#test/support/app.ts';

test('what arrives on an open connection while the server stops is refused with words, and the connection ends', async () => {
  const first = await startTestApp();
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-test-'));
  const stopping = await openTestApp(first.connectionString, { DATA_DIR: folder });
  const { server } = stopping.app.http;
  const received: Socket[] = [];
  server.on('connection', (socket) => received.push(socket));
  const asked = [readSession, listenLive].map((endpoint) => {
    const socket = connect(Number(new URL(stopping.url).port), '127.0.0.1');
    socket.write(`GET ${endpoint.path} HTTP/1.1\r\nHost: localhost\r\n`);
    return socket;
  });
  await vi.waitFor(() => expect(received.filter(({ bytesRead }) => bytesRead > 0)).toHaveLength(2));
  const closed = stopping.app.http.close();
  await vi.waitFor(() => expect(server.listening).toBe(false));
  for (const socket of asked) socket.write('\r\n');
  for (const answer of await Promise.all(asked.map(text))) {
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer).toMatch(/\r\nretry-after: 1\r\n/i);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toContain('Switchyard is restarting. Please try again in a moment.');
  }
  await closed;
  await stopping.close();
  await first.close();
  await rm(folder, { recursive: true, force: true });
});
