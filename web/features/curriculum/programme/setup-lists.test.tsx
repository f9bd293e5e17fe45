import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Cohort } from '#contract/cohorts.ts';
import { type Course, listCourses } from '#contract/programme-setup.ts';
import { problemFor } from '#server/platform/errors.ts';
import { alerts, drawAsking, press } from '#test/support/draw.tsx';
import { queryClient, refresh } from '../../../api/query-for.ts';
import { CohortMembers } from './CohortMembers.tsx';
import { SetupCourses } from './SetupCourses.tsx';

const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`;
const courseCalled = (title: string, facts: Partial<Course> = {}): Course => ({
  id: idOf(1),
  title,
  trackType: 'fellowship',
  isArchived: false,
  version: 1,
  enrolments: 0,
  isForEnrolment: false,
  ...facts,
});
const away = () => {
  const problem = problemFor('conflict', 'It is away.', 'request', null);
  return Response.json(problem, { status: problem.status });
};
const pageOf = (rows: object[], nextCursor: string | null = null) => Response.json({ rows, nextCursor, matching: 1 });

let answer: (method: string, address: string) => Response;
let sent: unknown[][];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, search } = new URL(address, 'http://test.example');
    sent.push([method, pathname + search, ...(typeof body === 'string' ? [JSON.parse(body)] : [])]);
    return answer(method, address);
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function openCourses() {
  const router = createRouter({
    routeTree: createRootRoute({ component: SetupCourses }),
    history: createMemoryHistory(),
  });
  return drawAsking(<RouterProvider router={router as never} />);
}

test('a list of Programme Setup says which page failed, and Try again asks for that one', async () => {
  answer = (_, address) => (address.includes('cursor=') ? away() : pageOf([courseCalled('Grid')], 'next'));
  await openCourses();
  await screen.findByText('Grid');
  await press('Show more');
  await waitFor(() => expect(alerts()).toEqual(['The courses could not be loadedIt is away.Try again']));
  answer = () => pageOf([courseCalled('Field work', { id: idOf(2) })]);
  await press('Try again');
  await screen.findByText('Field work');
  expect(screen.getByText('Grid')).toBeTruthy();
  expect(sent.map(([, address]) => address)).toEqual([
    '/api/programme/courses',
    '/api/programme/courses?cursor=next',
    '/api/programme/courses?cursor=next',
  ]);
});

test('members that could not be read again stay, and are said to be from before', async () => {
  const cohort = { id: idOf(9), name: 'Spring' } as Cohort;
  const robin = { participantId: idOf(3), firstName: 'Robin', lastName: 'Reyes', email: 'robin@people.example' };
  const facts = { role: 'participant', trackType: null, coaches: [], status: 'active', endedAt: null };
  answer = () => pageOf([{ ...robin, ...facts, enrolledAt: '2026-11-20T15:00:00.000Z' }]);
  await drawAsking(<CohortMembers cohort={cohort} />);
  await screen.findByText('Robin Reyes');
  answer = away;
  await act(() => refresh([{ name: 'listCohortMembers' }]));
  await waitFor(() =>
    expect(alerts()).toEqual([
      'The members could not be loadedIt is away. What you see below is from before.Try again',
    ]),
  );
  expect(screen.getByText('Robin Reyes')).toBeTruthy();
});

test('a course that somebody else saves meanwhile is shown in both versions, and saved over the one that was chosen', async () => {
  answer = () => pageOf([courseCalled('Grid')]);
  await openCourses();
  await screen.findByText('Grid');
  await press('Edit Grid');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText(/^Title/), { target: { value: 'Grid basics' } });
  answer = () => pageOf([courseCalled('Grid 2', { version: 2 })]);
  await act(() => refresh([listCourses]));
  await waitFor(() =>
    expect(alerts()).toEqual([expect.stringMatching(/^Somebody else.*Saved now: Grid 2Yours: Grid basics/)]),
  );
  expect(dialog.getByRole('button', { name: 'Save course' }).hasAttribute('disabled')).toBe(true);
  await press('Keep mine');
  answer = (method) => (method === 'GET' ? pageOf([]) : Response.json({ id: idOf(1) }));
  await press('Save course');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.filter(([method]) => method !== 'GET')).toEqual([
    [
      'PUT',
      `/api/programme/courses/${idOf(1)}`,
      { title: 'Grid basics', trackType: 'fellowship', isArchived: false, version: 2 },
    ],
  ]);
});

test('a new course is created, and an opened one that nothing hangs on is deleted after the question', async () => {
  answer = (method) => (method === 'GET' ? pageOf([courseCalled('Grid')]) : Response.json({ id: idOf(1), done: true }));
  await openCourses();
  await screen.findByText('Grid');
  await press('Add course');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText(/^Title/), { target: { value: 'Storm work' } });
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Add course' })));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('More for Grid');
  await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete Grid' })));
  await press('Delete course');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.filter(([method]) => method !== 'GET')).toEqual([
    ['POST', '/api/programme/courses', { title: 'Storm work', trackType: 'fellowship', isArchived: false }],
    ['DELETE', `/api/programme/courses/${idOf(1)}`],
  ]);
});
