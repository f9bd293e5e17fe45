import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readImport } from '#contract/import-results.ts';
import { problemFor } from '#server/platform/errors.ts';
import { alerts, draw } from '#test/support/draw.tsx';
import { queryClient, refresh } from '../../api/query-for.ts';
import { ImportPage } from './ImportPage.tsx';
import { ImportReport } from './ImportReport.tsx';

const id = '0190b7a0-0000-7000-8000-000000000001';
const upload = {
  id,
  ...{ filename: 'people.csv', status: 'processing', createdAt: '2026-11-20T15:00:00.000Z', completedAt: null },
  ...{ createdBy: { firstName: 'Ada', lastName: 'Admin' }, undoneAt: null },
  ...{ totalRecords: 10, successfulRecords: 4, failedRecords: 0 },
  ...{ errorReport: [], rowsByState: [], can: { undo: false, resendOverdue: false } },
  undo: { accounts: 0, participants: 0, coaches: 0, admins: 0, places: 0, leftWithoutCoach: 0, refusal: null },
};
let isAway = false;

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined);
  isAway = false;
  vi.stubGlobal('fetch', async (address: string) => {
    if (isAway) return Response.json(problemFor('not_found', 'It is away.', 'r', null), { status: 404 });
    return Response.json(address.includes('/rows') ? { rows: [], nextCursor: null, matching: 0 } : upload);
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test.each([
  ['the page of an upload', ImportPage, 'The import could not be loaded'],
  ['the report of an upload', () => <ImportReport importId={id} />, 'The result could not be loaded'],
])('%s says when the server is away in the middle of it, and goes on when asked again', async (_, component, title) => {
  const rootRoute = createRootRoute();
  const page = createRoute({ getParentRoute: () => rootRoute, path: '/uploads/$importId', component });
  const router = createRouter({
    routeTree: rootRoute.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [`/uploads/${id}`] }),
  });
  draw(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(document.body.textContent).toContain('4 of 10'));
  expect(alerts()).toEqual([]);
  isAway = true;
  await act(async () => void (await refresh([readImport])));
  await waitFor(() => expect(alerts()).toEqual([`${title}It is away. What you see below is from before.Try again`]));
  expect(document.body.textContent).toContain('4 of 10');
  isAway = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(alerts()).toEqual([]));
});
