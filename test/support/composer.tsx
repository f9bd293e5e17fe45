import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { queryClient, queryFor } from '../../web/api/query-for.ts';
import { Composer } from '../../web/features/messages/Composer.tsx';
import type * as thisTab from '../../web/features/messages/unsent.ts';
import { forgetUnsent } from '../../web/features/messages/unsent.ts';
import { useOutbox } from '../../web/features/messages/use-outbox.ts';

export const userId = '0190b7a0-0000-7000-8000-000000000001';
export const person = { id: '0190b7a0-0000-7000-8000-000000000002', name: 'Casey Cole' };
export const told: unknown[] = [];
let root: Root;

/** Sets up and tears down around each test of the file that calls it. */
export function setUpComposer(): void {
  beforeEach(setUp);
  afterEach(tearDown);
}

function setUp(): void {
  told.length = 0;
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message }) => {
    told.push([title, message]);
    return 'shown';
  });
  queryClient.setQueryData(queryFor(readSession).queryKey, { user: { id: userId } } as never);
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.body.firstElementChild as Element);
}

function tearDown(): void {
  act(() => root.unmount());
  forgetUnsent(userId);
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}

function Outbox() {
  useOutbox(userId);
  return null;
}

export function render({ isSending = false } = {}) {
  act(() =>
    root.render(
      <MantineProvider env="test">
        <Composer userId={userId} person={person} />
        {isSending ? <Outbox /> : null}
      </MantineProvider>,
    ),
  );
}

export const field = () => document.querySelector('textarea:not([aria-hidden])') as HTMLTextAreaElement;

export function type(text: string): void {
  const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
  act(() => {
    setValue?.call(field(), text);
    field().dispatchEvent(new Event('input', { bubbles: true }));
  });
}

export function press(key: string, init: KeyboardEventInit = {}): boolean {
  let isDefault = true;
  act(() => {
    isDefault = field().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));
  });
  return isDefault;
}

export function answerWith(respond: () => Promise<Response>) {
  const asked: { clientKey: string; text: string }[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    if (typeof body === 'string') asked.push(JSON.parse(body));
    return respond();
  });
  return asked;
}

/** Opens another tab of the browser, with the same storage and its own memory. */
export async function openTab(number: number): Promise<typeof thisTab> {
  const address = `../../web/features/messages/unsent.ts?tab=${number}`;
  return import(/* @vite-ignore */ address);
}
