import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { ImportPage } from './ImportPage.tsx';

const id = '0190b7a0-0000-7000-8000-000000000001';
const email = 'somebody.with.a.long.name(at)people.example';
const failed = { row: 1, fileRow: 2, state: 'failed', email, firstName: '', lastName: '', role: null, userId: null };
const upload = {
  id,
  ...{ filename: 'people.csv', status: 'completed', createdAt: '2026-11-20T15:00:00.000Z', completedAt: null },
  ...{ createdBy: { firstName: 'Ada', lastName: 'Admin' }, undoneAt: null, totalRecords: 10 },
  ...{ errorReport: [], rowsByState: [], can: { undo: false, resendOverdue: false } },
  undo: { accounts: 0, participants: 0, coaches: 0, admins: 0, places: 0, leftWithoutCoach: 0, refusal: null },
};

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined));
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a completed upload says beside its state how many rows failed, and shows their whole addresses', async () => {
  drawPage({ successfulRecords: 9, failedRecords: 1 }, [
    { ...failed, error: 'Invalid email format', invitation: null },
  ]);
  expect((await screen.findByText('Completed')).getAttribute('data-tone')).toBe('success');
  expect(screen.getByText('1 failed', { selector: '[data-tone]' }).getAttribute('data-tone')).toBe('warning');
  // What may end in dots tells the pointer its whole words.
  expect((await screen.findByText(email)).title).toBe('');
});

test('a completed upload without failures has its state alone', async () => {
  drawPage({ successfulRecords: 10, failedRecords: 0 }, []);
  await screen.findByText('Completed');
  expect(screen.queryByText('0 failed', { selector: '[data-tone]' })).toBeNull();
});

function drawPage(counts: { successfulRecords: number; failedRecords: number }, rows: object[]): void {
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(
      address.includes('/rows') ? { rows, nextCursor: null, matching: rows.length } : { ...upload, ...counts },
    ),
  );
  const rootRoute = createRootRoute();
  const page = createRoute({ getParentRoute: () => rootRoute, path: '/uploads/$importId', component: ImportPage });
  const router = createRouter({
    routeTree: rootRoute.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [`/uploads/${id}`] }),
  });
  draw(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
}
