import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../api/query-for.ts';
import { PushHere } from './PushHere.tsx';

const old = 'https://push.example/old';
const fresh = 'https://push.example/fresh';
const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) };
/** `kept` is the browser's own address. `own` are the addresses that the server calls the signed-in person's. */
let kept: string | null;
let own: string[];
let sent: unknown[];
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const subscription = () => ({
    endpoint: kept,
    toJSON: () => ({ endpoint: kept, keys }),
    unsubscribe: async () => {
      sent.push(`given back ${kept}`);
      kept = null;
    },
  });
  const pushManager = {
    getSubscription: async () => (kept === null ? null : subscription()),
    subscribe: async () => {
      kept = fresh;
      return subscription();
    },
  };
  const registration = { pushManager };
  const serviceWorker = {
    getRegistration: async () => registration,
    register: async () => registration,
    ready: Promise.resolve(registration),
  };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker }));
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { requestPermission: async () => 'granted' });
  sent = [];
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit) => {
    const { pathname } = new URL(address, 'https://switchyard.example');
    const { endpoint = '' } = typeof body === 'string' ? JSON.parse(body) : {};
    if (pathname === '/api/push/checks') return Response.json({ isOwn: own.includes(endpoint) });
    if (pathname === '/api/push/key') return Response.json({ publicKey: 'key' });
    sent.push(`${pathname} ${endpoint}`);
    own.push(endpoint);
    return Response.json({ done: true });
  });
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root') as Element);
});
afterEach(async () => {
  await act(async () => root.unmount());
  queryClient.clear();
  vi.unstubAllGlobals();
});

async function open() {
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <MantineProvider env="test">
          <PushHere />
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
}
const reads = (text: string) => vi.waitFor(() => act(async () => expect(document.body.textContent).toContain(text)));

test('a browser that is subscribed for the signed-in person shows push notifications', async () => {
  [kept, own] = [old, [old]];
  await open();
  await reads('This browser shows push notifications.');
  expect(document.querySelector('button')?.textContent).toBe('Stop in this browser');
});

test('one whose session was ended elsewhere, or that another person subscribed, shows none, and can be added anew', async () => {
  [kept, own] = [old, []];
  await open();
  await reads('This browser shows no push notifications yet.');
  const button = document.querySelector('button');
  expect(button?.textContent).toBe('Show them in this browser');
  await act(async () => button?.click());
  await reads('This browser shows push notifications.');
  expect(sent).toEqual([`given back ${old}`, `/api/push/subscriptions ${fresh}`]);
});
