import { notifications } from '@mantine/notifications';
import { createBrowserHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { readSession, type SignedInUser } from '#contract/accounts.ts';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { changedFactsHeader, facts } from '#contract/facts.ts';
import { problemFor } from '#server/platform/errors.ts';
import { noteAnswer } from '../../web/api/connection.ts';
import { queryClient } from '../../web/api/query-for.ts';
import { router } from '../../web/app/routes.tsx';
import { forgetUnsent } from '../../web/features/messages/unsent.ts';
import { drawAsking } from './draw.tsx';

type Answer = () => object;

export const robin: SignedInUser = {
  id: '00000000-0000-7000-8000-000000000001',
  email: 'robin@people.example',
  firstName: 'Robin',
  lastName: 'Reyes',
  role: 'participant',
  trackType: 'fellowship',
  requestedRole: null,
};

export function sessionOf(
  user: SignedInUser | null,
  given: Partial<ResponseOf<typeof readSession>> = {},
): ResponseOf<typeof readSession> {
  return {
    user,
    awaitsSecondFactor: false,
    mustSetUpSecondFactor: false,
    secondFactorDueAt: null,
    mustChangePassword: false,
    assuranceLevel: user ? 'aal1' : null,
    deviceKey: null,
    expiresAt: null,
    serverTime: new Date().toISOString(),
    zone: 'America/New_York',
    unreadMessages: 0,
    unreadNotices: 0,
    instance: { isDemo: false, demoPassword: null, demoAccounts: [], signInProviders: [], grantsChosenRole: false },
    ...given,
  };
}

/** The server's answers, by endpoint. A call to any other endpoint cannot reach the server. */
export const answers = new Map<Endpoint, Answer>();
/** The calls that were made, in order. */
export const called: { path: string; body: unknown }[] = [];
/** The type, title and message of each toast. */
export const toasts: unknown[][] = [];

export const refused =
  (code: ErrorCode, detail: string): Answer =>
  () => {
    const problem = problemFor(code, detail, 'request', null);
    return Response.json(problem, { status: problem.status });
  };

let leave = () => {};

/** Serves the product's own screens and guards in the test's browser, with a server that answers from `answers`. */
export function serveScreens(): void {
  const { queries, ...others } = queryClient.getDefaultOptions();
  beforeEach(() => {
    // Another file may have left what it read last.
    queryClient.clear();
    forgetUnsent(robin.id);
    queryClient.setDefaultOptions({ ...others, queries: { ...queries, retryDelay: 0 } });
    answers.set(readSession, () => sessionOf(null));
    vi.stubGlobal('scrollTo', () => undefined);
    vi.stubGlobal(
      'EventSource',
      class extends EventTarget {
        close() {}
      },
    );
    vi.stubGlobal('fetch', answer);
    vi.spyOn(notifications, 'show').mockImplementation(({ title, message, ...toast }) => {
      toasts.push([(toast as { 'data-toast'?: string })['data-toast'], title, message]);
      return 'shown';
    });
  });
  afterEach(async () => {
    // The next test must not miss this test's session.
    answers.set(readSession, () => sessionOf(null));
    cleanup();
    leave();
    leave = () => {};
    queryClient.clear();
    queryClient.setDefaultOptions({ ...others, queries });
    noteAnswer('answered');
    answers.clear();
    called.length = 0;
    toasts.length = 0;
    window.history.replaceState(null, '', '/');
    sessionStorage.clear();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}

async function answer(address: string, { method = 'GET', body }: { method?: string; body?: string } = {}) {
  const { pathname } = new URL(address, 'http://test.example');
  called.push({ path: pathname, body: body ? JSON.parse(body) : null });
  const endpoint = [...answers.keys()].find(
    (known) => known.method === method && new RegExp(`^${known.path.replace(/:\w+/g, '[^/]+')}$`).test(pathname),
  );
  const given = endpoint && answers.get(endpoint)?.();
  if (!given) throw new TypeError('Failed to fetch');
  if (given instanceof Response) return given;
  // The server names what changed. Here every query that shows a fact is read again.
  const isNamed = method !== 'GET' && !['public', 'signed', 'pending'].includes(endpoint.access);
  return Response.json(given, { headers: isNamed ? { [changedFactsHeader]: facts.join(',') } : {} });
}

/** Opens the place as after a reload. */
export async function open(place: string): Promise<void> {
  cleanup();
  leave();
  window.history.replaceState(null, '', place);
  const history = createBrowserHistory();
  leave = () => history.destroy();
  const opened = createRouter({ ...router.options, history });
  await drawAsking(<RouterProvider router={opened as typeof router} />);
}

export const sees = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));

export const seesHeading = (title: string) =>
  waitFor(() => expect(document.querySelector('h1')?.textContent).toBe(title));

/** Presses the button or link that reads so. */
export const press = (label: string) =>
  act(async () => fireEvent.click(screen.getByText(label, { selector: 'button, a, button *, a *' })));

/** Types into the fields with these labels. */
export async function fill(values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await act(async () => fireEvent.input(screen.getByLabelText(label), { target: { value } }));
  }
}
