import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { problemFor } from '#server/platform/errors.ts';
import { queryClient, queryFor } from '../../api/query-for.ts';
import { Composer } from './Composer.tsx';
import { forgetUnsent, unsentOf } from './unsent.ts';
import { useOutbox } from './use-outbox.ts';

const userId = '0190b7a0-0000-7000-8000-000000000001';
const person = { id: '0190b7a0-0000-7000-8000-000000000002', name: 'Casey Cole' };
const told: unknown[] = [];
let root: Root;

beforeEach(() => {
  told.length = 0;
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message }) => {
    told.push([title, message]);
    return 'shown';
  });
  queryClient.setQueryData(queryFor(readSession).queryKey, { user: { id: userId } } as never);
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.body.firstElementChild as Element);
});
afterEach(() => {
  act(() => root.unmount());
  forgetUnsent(userId);
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Outbox() {
  useOutbox(userId);
  return null;
}

function render({ isSending = false } = {}) {
  act(() =>
    root.render(
      <MantineProvider env="test">
        <Composer userId={userId} person={person} />
        {isSending ? <Outbox /> : null}
      </MantineProvider>,
    ),
  );
}

const field = () => document.querySelector('textarea:not([aria-hidden])') as HTMLTextAreaElement;

function type(text: string): void {
  const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
  act(() => {
    setValue?.call(field(), text);
    field().dispatchEvent(new Event('input', { bubbles: true }));
  });
}

function press(key: string, init: KeyboardEventInit = {}): boolean {
  let isDefault = true;
  act(() => {
    isDefault = field().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));
  });
  return isDefault;
}

function answerWith(respond: () => Promise<Response>) {
  const asked: { clientKey: string; text: string }[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    if (typeof body === 'string') asked.push(JSON.parse(body));
    return respond();
  });
  return asked;
}

test('MSG-17 sending nothing, or nothing but spaces, says Message Required and keeps nothing to send', () => {
  render();
  for (const text of ['', '  \n ']) {
    type(text);
    press('Enter');
  }
  const required = ['Message Required', 'Please enter a message or attach a file'];
  expect(told).toEqual([required, required]);
  expect(unsentOf(userId).outgoing).toEqual([]);
});

test('MSG-20 Enter sends; Shift+Enter, and Enter that ends a composed word, do not', () => {
  render();
  type('Hello');
  expect(press('Enter', { shiftKey: true })).toBe(true);
  expect(press('Enter', { isComposing: true })).toBe(true);
  expect(unsentOf(userId).outgoing).toEqual([]);
  expect(press('Enter')).toBe(false);
  expect(unsentOf(userId).outgoing).toMatchObject([{ text: 'Hello', recipientId: person.id }]);
  expect(field().value).toBe('');
});

test('MSG-19 MSG-23 a file that is refused is told as a failed upload, and no message is sent', () => {
  render();
  type('See this');
  const chooser = document.querySelector('input[type=file]') as HTMLInputElement;
  expect(chooser.accept).toBe('.pdf,.doc,.docx,.txt,.jpg,.jpeg,.png,.gif,.bmp,.webp,.svg');
  Object.defineProperty(chooser, 'files', { value: [new File(['MZ'], 'program.exe')] });
  act(() => {
    chooser.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(told).toEqual([['Send Failed', expect.stringContaining('file upload failed: File type not allowed.')]]);
  expect(unsentOf(userId)).toMatchObject({ outgoing: [], drafts: { [person.id]: { text: 'See this' } } });
});

test("MSG-22 a refused message says Send Failed with the server's words, and its text is kept", async () => {
  const says = 'You can write to your own coach only.';
  answerWith(async () => Response.json(problemFor('forbidden', says, 'r', null), { status: 403 }));
  render({ isSending: true });
  type('Keep me');
  press('Enter');
  await act(() => vi.waitFor(() => expect(told).toEqual([['Send Failed', says]])));
  expect(unsentOf(userId).outgoing).toMatchObject([{ text: 'Keep me', failure: says }]);
  expect(localStorage.getItem(`switchyard.unsent-messages.${userId}`)).toContain('Keep me');
});

test('a message whose answer was lost is sent again by the same key until the server has it, then Message Sent', async () => {
  vi.useFakeTimers();
  let tries = 0;
  const asked = answerWith(async () => {
    tries += 1;
    if (tries < 3) throw new TypeError('Failed to fetch');
    return Response.json({});
  });
  render({ isSending: true });
  type('Once');
  press('Enter');
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  vi.useRealTimers();
  expect(asked.map(({ text }) => text)).toEqual(['Once', 'Once', 'Once']);
  expect(new Set(asked.map(({ clientKey }) => clientKey)).size).toBe(1);
  expect(told).toEqual([['Message Sent', '']]);
  expect(field().value).toBe('');
  expect(unsentOf(userId).outgoing).toEqual([]);
});

test('a server that is away, or was asked too often, is asked again by itself, and nothing is said to have failed', async () => {
  vi.useFakeTimers();
  const answers = [502, 429, 500, 200];
  const asked = answerWith(async () => Response.json({}, { status: answers.shift() ?? 200 }));
  render({ isSending: true });
  type('Patience');
  press('Enter');
  await act(() => vi.advanceTimersByTimeAsync(12_000));
  vi.useRealTimers();
  expect(asked.map(({ text }) => text)).toEqual(['Patience', 'Patience', 'Patience', 'Patience']);
  expect(new Set(asked.map(({ clientKey }) => clientKey)).size).toBe(1);
  expect(told).toEqual([['Message Sent', '']]);
});
