import { notifications } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problemFor } from '#server/platform/errors.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { BookingLinkForm } from './BookingLinkForm.tsx';

const told: unknown[] = [];
const stored = { schedulingEnabled: true, schedulingLink: 'https://book.example/cole', instructions: 'One line.' };

beforeEach(() => {
  told.length = 0;
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message, ...toast }) => {
    const type = (toast as { 'data-toast'?: string })['data-toast'];
    told.push(message ? [type, title, message] : [type, title]);
    return 'shown';
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const render = () => drawAsking(<BookingLinkForm stored={stored} tellUnsaved={() => undefined} />);

const urlField = () => document.querySelector('input[type=url]') as HTMLInputElement;
const enabling = () => screen.getByRole('switch');
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const type = (field: HTMLInputElement, value: string) => fireEvent.input(field, { target: { value } });

/** Returns what is sent to the server, which answers with `respond`. */
function answerWith(respond: (body: object) => Response) {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    if (typeof init.body !== 'string') return Response.json(stored);
    const body = JSON.parse(init.body);
    sent.push(body);
    return respond(body);
  });
  return sent;
}

test('COACH-17 a switch, an address, instructions, and buttons to test, to copy and to save; copying says Copied', async () => {
  const copied: string[] = [];
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  await render();
  expect(enabling().getAttribute('role')).toBe('switch');
  expect(urlField().value).toBe('https://book.example/cole');
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Instructions' }).value).toBe('One line.');
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Test link',
    'Copy link',
    'Save',
  ]);
  await press('Copy link');
  await waitFor(() => expect(told).toEqual([['success', 'Copied']]));
  expect(copied).toEqual(['https://book.example/cole']);
});

test('COACH-18 testing the link opens it in a new tab and shows a spinner for two seconds', async () => {
  vi.useFakeTimers();
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  await render();
  const isSpinning = () => button('Test link').hasAttribute('data-loading');
  await press('Test link');
  expect(open.mock.calls).toEqual([['https://book.example/cole', '_blank', 'noopener,noreferrer']]);
  expect(isSpinning()).toBe(true);
  act(() => vi.advanceTimersByTime(1999));
  expect(isSpinning()).toBe(true);
  act(() => vi.advanceTimersByTime(1));
  expect(isSpinning()).toBe(false);
});

test('COACH-20 COACH-21 COACH-23 COACH-24 while scheduling is enabled a wrong address is said at its field, and Save is disabled', async () => {
  await render();
  expect(button('Save').disabled).toBe(false);
  for (const [address, words] of [
    ['', 'URL is required'],
    ['book me', 'Invalid URL format'],
    ['http://book.example/cole', 'URL must use HTTPS'],
  ] as const) {
    type(urlField(), address);
    expect(document.body.textContent).toContain(words);
    expect(urlField().getAttribute('aria-invalid')).toBe('true');
    expect(button('Save').disabled).toBe(true);
  }
  fireEvent.click(enabling());
  expect(document.body.textContent).not.toContain('URL must use HTTPS');
  expect(button('Save').disabled).toBe(false);
});

test('COACH-27 trying to save or to test a wrong address says Invalid URL, and nothing is opened or sent', async () => {
  const sent = answerWith(() => Response.json(stored));
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  await render();
  type(urlField(), 'http://book.example/cole');
  await press('Test link');
  const invalid = ['error', 'Invalid URL', 'URL must use HTTPS'];
  expect(told).toEqual([invalid]);
  fireEvent.submit(document.querySelector('form') as Element);
  expect(told).toEqual([invalid, invalid]);
  expect(open).not.toHaveBeenCalled();
  expect(sent).toEqual([]);
});

test('COACH-19 saving says Settings Saved; a failure says Save Failed and keeps what was typed', async () => {
  const sent = answerWith((body) =>
    JSON.stringify(body).includes('second')
      ? Response.json(problemFor('unavailable', 'The server is being updated.', 'r', null), { status: 503 })
      : Response.json(body),
  );
  await render();
  type(urlField(), ' https://book.example/first ');
  await press('Save');
  await waitFor(() => expect(told).toEqual([['success', 'Settings Saved']]));
  type(urlField(), 'https://book.example/second');
  await press('Save');
  await waitFor(() => expect(told.at(-1)).toEqual(['error', 'Save Failed', 'The server is being updated.']));
  expect(urlField().value).toBe('https://book.example/second');
  expect(sent).toEqual([
    { ...stored, schedulingLink: 'https://book.example/first' },
    { ...stored, schedulingLink: 'https://book.example/second' },
  ]);
});

test('COACH-28 without a session saving is an Authentication Error with the words to refresh', async () => {
  answerWith(() => Response.json(problemFor('not_authenticated', 'Please sign in.', 'r', null), { status: 401 }));
  await render();
  await press('Save');
  const words = 'User session not found. Please refresh and try again.';
  await waitFor(() => expect(told).toContainEqual(['error', 'Authentication Error', words]));
});
