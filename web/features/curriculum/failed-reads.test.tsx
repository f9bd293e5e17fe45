import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listContents, type ManagedContent } from '#contract/contents.ts';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import {
  assignActivities,
  listActivityCohorts,
  listTrainingActivities,
  previewActivityAssignment,
  readTrainingActivity,
} from '#contract/training-activities.ts';
import { problemFor } from '#server/platform/errors.ts';
import { drawAsking } from '#test/support/draw.tsx';
import { queryClient, refresh } from '../../api/query-for.ts';
import { ContentManagementPage } from './contents/ContentManagementPage.tsx';
import { allUnder } from './training/activity-choice.ts';
import { BulkAssignDialog } from './training/BulkAssignDialog.tsx';
import { ChosenActivities } from './training/ChosenActivities.tsx';

const activity = {
  id: '00000000-0000-7000-8000-000000000001',
  title: 'Substation visit',
  deliveryPartner: null,
  trainingDeliveryMode: null,
  deliveryMedium: null,
  weekNumber: 2,
  location: null,
  duration: null,
  sessionDate: null,
  moduleName: null,
  cohortId: null,
  cohortName: null,
  reachedCount: 214,
  version: 1,
};
const item: ManagedContent = {
  id: '00000000-0000-7000-8000-000000000002',
  title: 'Read the rules',
  contentType: 'reading',
  orderIndex: 1,
  estimatedMinutes: 30,
  isRequired: true,
  contentUrl: null,
  contentText: null,
  dueDate: null,
  file: null,
  ticks: 0,
  version: 1,
  assignments: [],
};
const list = { rows: [activity], nextCursor: null, previousCursor: null, matching: 1 };

/** The server's answers. An endpoint that is not here fails. */
let answers: Map<Endpoint, object>;
let sent: { path: string; body: unknown }[];

beforeEach(async () => {
  answers = new Map<Endpoint, object>([
    [listTrainingActivities, list],
    [listActivityCohorts, { cohorts: [], modules: [], audiences: [], reachedCount: 0 }],
    [readTrainingActivity, activity],
    [listContents, { items: [item] }],
  ]);
  vi.stubGlobal('scrollTo', () => undefined);
  sent = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(address, 'http://test.example');
    if (typeof body === 'string') sent.push({ path: pathname, body: JSON.parse(body) });
    const asked = [...answers.keys()].find(
      (known) => known.method === method && new RegExp(`^${known.path.replace(/:\w+/g, '[^/]+')}$`).test(pathname),
    );
    if (asked) return Response.json(answers.get(asked));
    if (pathname === listActivityCohorts.path)
      return Response.json({ cohorts: [], modules: [], audiences: [], reachedCount: 0 });
    const problem = problemFor('conflict', `${pathname} is away.`, 'request', null);
    return Response.json(problem, { status: problem.status });
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

async function open() {
  const rootRoute = createRootRoute();
  const path = '/admin/content-management';
  const page = createRoute({ getParentRoute: () => rootRoute, path, component: ContentManagementPage });
  const history = createMemoryHistory({ initialEntries: [`${path}?activity=${activity.id}`] });
  const router = createRouter({ routeTree: rootRoute.addChildren([page]), history });
  // The product has another router, with the same address.
  await drawAsking(<RouterProvider router={router as never} />);
}

const paneOf = (name: string) => document.querySelector(`section[aria-label="${name}"]`)?.textContent;
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(
    (found) => found.textContent === name || found.getAttribute('aria-label') === name,
  ) as HTMLButtonElement;
const titleField = () =>
  document.querySelector('[role=dialog] input[type=text], [role=dialog] input') as HTMLInputElement;

async function editTitle(text: string) {
  await act(async () => button(`Edit ${item.title}`).click());
  await waitFor(() => expect(titleField().value).toBe(item.title));
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    setValue?.call(titleField(), text);
    titleField().dispatchEvent(new Event('input', { bubbles: true }));
  });
}

test('CONT-36 activities that cannot be loaded are said with Load Error, beside the contents that can', async () => {
  answers.delete(listTrainingActivities);
  await open();
  await waitFor(() => expect(paneOf('Activities')).toContain('Load Error/api/training-activities is away.'));
  await waitFor(() => expect(paneOf('Contents of the activity')).toContain(item.title));
});

test('CONT-36 contents that cannot be loaded are said with Load Error, beside the activities that can', async () => {
  answers.delete(listContents);
  await open();
  await waitFor(() => expect(paneOf('Contents of the activity')).toMatch(/^Load Error.* is away\.Try again$/));
  expect(paneOf('Activities')).not.toContain('Load Error');
});

test('ERR-05 CONT-36 a save and the reads after it that fail leave the list, and the form with what was typed', async () => {
  await open();
  await waitFor(() => expect(paneOf('Contents of the activity')).toContain(item.title));
  await editTitle('Read the new rules');
  answers.clear();
  await act(async () => button('Save content').click());
  await waitFor(() => expect(paneOf('Contents of the activity')).toContain('Load Error'));
  await act(async () => void (await refresh([listContents, readTrainingActivity, listTrainingActivities])));
  expect(titleField().value).toBe('Read the new rules');
  expect(paneOf('Contents of the activity')).toContain(item.title);
});

test('TRAIN-25 where the next page of what was chosen fails, the first stays shown, and it is asked for no more by itself', async () => {
  answers.set(listTrainingActivities, { ...list, matching: 2, nextCursor: 'next' });
  const answer = globalThis.fetch;
  let nextPages = 0;
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (!address.includes('cursor=')) return answer(address, init);
    nextPages += 1;
    const problem = problemFor('conflict', 'The next page is away.', 'request', null);
    return Response.json(problem, { status: problem.status });
  });
  // The end of so short a list is in sight at once.
  vi.stubGlobal('IntersectionObserver', function watch(tell: (changes: { isIntersecting: boolean }[]) => void) {
    return { observe: () => queueMicrotask(() => tell([{ isIntersecting: true }])), disconnect: () => undefined };
  });
  await drawAsking(<ChosenActivities choice={allUnder({})} onToggle={() => undefined} />);
  await waitFor(() => expect(document.body.textContent).toContain('The next page is away.'));
  expect(document.querySelector('[aria-label="Selected activities"]')).not.toBeNull();
  for (let turn = 0; turn < 20; turn += 1) await act(async () => undefined);
  expect(nextPages).toBe(1);
});

test('a form stays open with what was typed when somebody else deletes its content', async () => {
  await open();
  await waitFor(() => expect(paneOf('Contents of the activity')).toContain(item.title));
  await editTitle('Read the new rules');
  answers.set(listContents, { items: [] });
  await act(async () => void (await refresh([listContents])));
  await waitFor(() => expect(paneOf('Contents of the activity')).toContain('No content yet'));
  expect(titleField().value).toBe('Read the new rules');
});

test('TRAIN-20 activities that somebody else has deleted are left out of an assignment, which says so before', async () => {
  const cohort = {
    id: '00000000-0000-7000-8000-000000000003',
    name: 'Spring',
    status: 'active',
    isTarget: true,
    programmeId: defaultProgrammeId,
  };
  const preview = { activities: 1, replaced: 0, unchanged: 0, attendances: 0, submissions: 0 };
  answers.set(previewActivityAssignment, preview);
  answers.set(assignActivities, { activities: 1, changed: 1, cohortName: 'Spring' });
  const gone = { ...activity, id: '00000000-0000-7000-8000-000000000004' };
  const onAssigned = vi.fn();
  await drawAsking(
    <BulkAssignDialog
      choice={{ kind: 'some', rows: new Map([activity, gone].map((row) => [row.id, row])) }}
      count={2}
      cohorts={[cohort]}
      onToggle={() => undefined}
      onAssigned={onAssigned}
      onClose={() => undefined}
    />,
  );
  expect(button('Assign 2 activities')).toBeDefined();
  await act(async () => document.querySelector<HTMLElement>('[role=combobox], input[data-autofocus]')?.click());
  const option = () => document.querySelector<HTMLElement>('[role=option]');
  await waitFor(() => expect(option()?.textContent).toContain('Spring'));
  await act(async () => option()?.click());
  await waitFor(() => expect(document.body.textContent).toContain('1 activity is gone and will be left out.'));
  await act(async () => button('Assign 1 activity').click());
  await waitFor(() => expect(onAssigned).toHaveBeenCalled());
  const assigned = sent.filter(({ path }) => path === assignActivities.path);
  expect(assigned).toEqual([
    {
      path: assignActivities.path,
      body: { selection: { ids: [activity.id, gone.id] }, cohortId: cohort.id, expected: 1 },
    },
  ]);
});
