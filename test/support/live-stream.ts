import { expect } from 'vitest';
import { listenLive } from '#contract/live.ts';
import type { Client, Person, TestApp } from './app.ts';

/** The event stream of a person who has just signed in. */
export async function openStream(server: TestApp, person: Person, headers: Record<string, string> = {}) {
  return openStreamOf(await server.as(person), headers);
}

export async function openStreamOf(client: Client, headers: Record<string, string> = {}) {
  const aborter = new AbortController();
  const answer = await client.fetch(listenLive.path, { headers, signal: aborter.signal });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  if (!answer.body) throw new Error('The stream has no body.');
  let text = '';
  let isEnded = false;
  const ended = (async (body: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
    isEnded = true;
  })(answer.body).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
  return {
    ended,
    text: () => text,
    isEnded: () => isEnded,
    events: () =>
      [...text.matchAll(/^event: (.+)\ndata: (.+)\n\n/gm)].map(([, event, data]) => ({
        event,
        data: JSON.parse(data ?? ''),
      })),
    close: () => aborter.abort(),
  };
}
