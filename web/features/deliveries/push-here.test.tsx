import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawAsking, press } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { PushHere } from './PushHere.tsx';

const old = 'https://push.example/old';
const fresh = 'https://push.example/fresh';
const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) };
/** `kept` is the browser's own address. `own` are the addresses that the server calls the signed-in person's. */
let kept: string | null;
let own: string[];
let sent: unknown[];

beforeEach(() => {
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
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

async function open() {
  await drawAsking(<PushHere />);
}
const reads = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));

test('a browser that is subscribed for the signed-in person shows push notifications', async () => {
  [kept, own] = [old, [old]];
  await open();
  await reads('This browser shows push notifications.');
  expect(screen.getByRole('button').textContent).toBe('Stop in this browser');
});

test('one whose session was ended elsewhere, or that another person subscribed, shows none, and can be added anew', async () => {
  [kept, own] = [old, []];
  await open();
  await reads('This browser shows no push notifications yet.');
  await press('Show them in this browser');
  await reads('This browser shows push notifications.');
  expect(sent).toEqual([`given back ${old}`, `/api/push/subscriptions ${fresh}`]);
});
