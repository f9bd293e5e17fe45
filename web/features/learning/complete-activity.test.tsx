import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type ContentItem, readActivityContent } from '#contract/activities.ts';
import { recordAttendance } from '#contract/documented-functions.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readActivity } from '#contract/learning.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { queryClient, queryFor } from '../../api/query-for.ts';
import { CompleteActivity } from './CompleteActivity.tsx';

const id = '00000000-0000-7000-8000-0000000000a1';
const activity: ResponseOf<typeof readActivity> = {
  ...{ id, title: 'Relay lab', weekNumber: 5, sessionDate: '2026-10-05', sessionTime: null, durationMinutes: null },
  ...{ moduleName: null, deliveryMedium: null, cohortName: null, zone: 'America/New_York', state: 'today' },
  ...{ cohortId: null, duration: null, location: null, meetingUrl: null, isMeetingOpen: false, deliveryPartner: null },
  ...{ trainingDeliveryMode: null, description: null, audiences: [], completedAt: null },
  ...{ completion: { fellowId: id, cohortId: id }, can: { complete: true }, completionBlockedBecause: null },
};
const chapter: ContentItem = {
  ...{ id, title: 'Chapter one', description: null, contentType: 'reading', contentUrl: null, contentText: null },
  ...{ fileId: null, orderIndex: 1, estimatedMinutes: 30, isRequired: true, dueDate: null, isTicked: false },
  assignments: [],
};

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a press right after the last tick completes the activity, and asks about nothing', async () => {
  const recorded: unknown[] = [];
  let isTicked = false;
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const { pathname } = new URL(address, 'https://switchyard.example');
    if (pathname.endsWith('/content')) return Response.json({ items: [{ ...chapter, isTicked }] });
    if (pathname !== recordAttendance.path) return Response.json({ rows: [], refusal: null });
    recorded.push(JSON.parse(String(init?.body)).content_id);
    return Response.json({ success: true, error: null });
  });
  await drawAsking(
    <Somewhere>
      <CompleteActivity activity={activity} />
    </Somewhere>,
  );
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Mark as complete' }).disabled).toBe(false),
  );
  await press('Mark as complete');
  expect(await screen.findByRole('dialog', { name: '1 required item is open' })).toBeTruthy();
  expect(recorded).toEqual([]);
  isTicked = true;
  await act(() => queryClient.invalidateQueries(queryFor(readActivityContent, { params: { id } })));
  await waitFor(() => expect(recorded).toEqual([id]));
  expect(screen.queryByRole('dialog')).toBeNull();
});
