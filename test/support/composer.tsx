import { notifications } from '@mantine/notifications';
import { cleanup, fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { queryClient, queryFor } from '../../web/api/query-for.ts';
import { Composer } from '../../web/features/messages/Composer.tsx';
import type * as thisTab from '../../web/features/messages/unsent.ts';
import { forgetUnsent } from '../../web/features/messages/unsent.ts';
import { useOutbox } from '../../web/features/messages/use-outbox.ts';
import { draw } from './draw.tsx';

export const userId = '0190b7a0-0000-7000-8000-000000000001';
export const person = { id: '0190b7a0-0000-7000-8000-000000000002', name: 'Casey Cole' };
export const told: unknown[] = [];

/** Sets up and tears down around each test of the file that calls it. */
export function setUpComposer(): void {
  beforeEach(setUp);
  afterEach(tearDown);
}

function setUp(): void {
  told.length = 0;
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message }) => {
    told.push([title, message]);
    return 'shown';
  });
  queryClient.setQueryData(queryFor(readSession).queryKey, { user: { id: userId } } as never);
}

function tearDown(): void {
  cleanup();
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
  draw(
    <>
      <Composer userId={userId} person={person} />
      {isSending ? <Outbox /> : null}
    </>,
  );
}

export const field = () => document.querySelector('textarea:not([aria-hidden])') as HTMLTextAreaElement;

export const type = (text: string) => fireEvent.input(field(), { target: { value: text } });

/** Returns false if what the key does by itself was prevented. */
export const press = (key: string, init: KeyboardEventInit = {}) => fireEvent.keyDown(field(), { key, ...init });

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
