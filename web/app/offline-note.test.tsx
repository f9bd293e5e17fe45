import { act, cleanup } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { draw } from '#test/support/draw.tsx';
import { call } from '../api/call.ts';
import { OfflineNote } from './OfflineNote.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const problem = {
  type: 'urn:switchyard:error:unavailable',
  title: 'Not available',
  status: 503,
  code: 'unavailable',
  detail: 'The database cannot be reached.',
  instance: 'r-1',
  errors: null,
};

async function answered(answer: Response | Error): Promise<string> {
  vi.stubGlobal('fetch', async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
  await act(async () => {
    await call(readSession).catch((error: Error) => error.message);
  });
  return document.body.textContent ?? '';
}

const refusal = (headers: HeadersInit) => new Response(JSON.stringify(problem), { status: 503, headers });

test('a server without its database is said not to be available; the network is blamed only when nothing answers', async () => {
  draw(<OfflineNote />);
  const away = await answered(refusal({ 'retry-after': '5' }));
  expect(away).toContain("Switchyard is not available right now. We'll keep trying. What was loaded stays readable.");
  expect(away).not.toContain('reached');
  expect(await answered(new TypeError('Failed to fetch'))).toContain("We can't reach Switchyard.");
  expect(await answered(Response.json({}))).toContain('The connection is back.');
  // Without Retry-After, only one feature is unavailable, such as the storage of files.
  expect(await answered(refusal({}))).toContain('The connection is back.');
});
