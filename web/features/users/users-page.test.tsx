import { notifications } from '@mantine/notifications';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { FunctionComponent } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { assignCoach, listCoaches, listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { syncAuthProfiles } from '#contract/documented-functions.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { enrolInCohort, listEnrolmentTargets } from '#contract/enrolments.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { changedFactsHeader } from '#contract/facts.ts';
import { endSessionsOfPerson } from '#contract/sessions.ts';
import {
  deleteUser,
  exportUsers,
  listUsers,
  resendInvitation,
  type User,
  updateUser,
} from '#contract/user-management.ts';
import { listRoleRequests } from '#contract/users.ts';
import { problemFor } from '#server/platform/errors.ts';
import { drawAsking, press } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { AssignParticipantsPage } from './AssignParticipantsPage.tsx';
import { aUser } from './a-user.ts';
import { UserManagementPage } from './UserManagementPage.tsx';

const own = { id: '00000000-0000-7000-8000-000000000001', firstName: 'Ada', lastName: 'Admin' };
const user = aUser;
const coach = { id: own.id, firstName: 'Nora', lastName: 'Nye', email: 'nora@people.example', participantCount: 4 };

type Answer = object | { refused: ErrorCode; detail: string };
let answers: Map<Endpoint, Answer>;
let sent: { method: string; path: string; query: Record<string, string>; body: unknown }[];
let told: unknown[];

beforeEach(() => {
  told = [];
  sent = [];
  answers = new Map<Endpoint, Answer>([
    [listRoleRequests, { rows: [], nextCursor: null }],
    [listUsers, { rows: [user], nextCursor: null, previousCursor: null, matching: 1 }],
    [syncAuthProfiles, { success: true, results: { createdProfiles: 0 }, error: null }],
    [listEnrolmentTargets, { cohorts: [] }],
    [listCoaches, { rows: [coach], nextCursor: null }],
    [listParticipantsWithoutCoach, { rows: [user], nextCursor: null, matching: 1 }],
  ]);
  vi.stubGlobal('scrollTo', () => undefined);
  vi.spyOn(notifications, 'show').mockImplementation(({ title, message, ...toast }) => {
    const type = (toast as { 'data-toast'?: string })['data-toast'];
    told.push(message ? [type, title, message] : [type, title]);
    return 'shown';
  });
  vi.stubGlobal('fetch', answer);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function answer(address: string, { method = 'GET', body }: { method?: string; body?: string } = {}) {
  const { pathname, searchParams } = new URL(address, 'http://test.example');
  const query = Object.fromEntries(searchParams);
  sent.push({ method, path: pathname, query, body: body ? JSON.parse(body) : null });
  if (pathname === '/api/session') {
    return Response.json({ user: { ...own, role: 'admin' }, serverTime: new Date().toISOString() });
  }
  const endpoint = [...answers.keys()].find(
    (known) => known.method === method && new RegExp(`^${known.path.replace(/:\w+/g, '[^/]+')}$`).test(pathname),
  );
  const found = endpoint && answers.get(endpoint);
  if (!found) return Response.json({}, { status: 404 });
  if (found instanceof Response) return found;
  if (!('refused' in found)) return Response.json(found, { headers: changedBy(endpoint, found) });
  const problem = problemFor(found.refused, found.detail, 'request', null);
  return Response.json(problem, { status: problem.status });
}

/** Each act on this screen changes people, except a sync that makes no profile. */
function changedBy(endpoint: Endpoint, reply: object): Record<string, string> {
  const isIdleSync = endpoint === syncAuthProfiles && JSON.stringify(reply).includes('"createdProfiles":0');
  return endpoint.method === 'GET' || isIdleSync ? {} : { [changedFactsHeader]: 'people' };
}

async function open(page: FunctionComponent, path: string, query = '') {
  const rootRoute = createRootRoute({ component: Outlet });
  const routeTree = rootRoute.addChildren([
    createRoute({ getParentRoute: () => rootRoute, path, component: page, validateSearch: (search) => search }),
    createRoute({ getParentRoute: () => rootRoute, path: '$' }),
  ]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [`${path}${query}`] }) });
  // This is not the product's router, but it has the same two addresses.
  await drawAsking(<RouterProvider router={router as never} />);
}

const openUsers = (query = '') => open(UserManagementPage, '/admin/user-management', query);
const openAssignment = () => open(AssignParticipantsPage, '/admin/assign-participants');
const sees = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));
const callsOf = ({ method, path }: Endpoint) =>
  sent.filter((call) => call.method === method && new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(call.path));

const button = (name: string) => screen.getByRole('button', { name });
const labelled = (label: string) => screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${label}`) });
const type = (label: string, value: string) => fireEvent.input(labelled(label), { target: { value } });

async function pressInMenu(menu: string, item: string) {
  await press(menu);
  const found = await screen.findByRole('menuitem', { name: item });
  await act(async () => fireEvent.click(found));
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
}

async function choose(label: string, option: string) {
  fireEvent.click(screen.getByRole('combobox', { name: new RegExp(`^${label}`) }));
  const found = await screen.findByRole('option', { name: new RegExp(option.replace(/[()]/g, '\\$&')) });
  await act(async () => fireEvent.click(found));
}

test('USER-03 USER-06 USER-21 USER-24 the list shows while the sync is sent, and a sync that fails is not told', async () => {
  answers.set(syncAuthProfiles, { refused: 'internal', detail: 'The sync is broken.' });
  await openUsers();
  await sees('robin@people.example');
  for (const fact of ['Robin Reyes', 'Participant', 'Fellowship', '1 user']) {
    expect(document.body.textContent).toContain(fact);
  }
  await waitFor(() => expect(callsOf(syncAuthProfiles)).toHaveLength(1));
  expect(told).toEqual([]);
});

test('USER-07 USER-21 ERR1-10 Refresh loads the list and syncs once more, and says Users Refreshed', async () => {
  await openUsers();
  await sees('Robin Reyes');
  answers.set(listUsers, { rows: [], nextCursor: null, previousCursor: null, matching: 0 });
  await press('Refresh');
  await waitFor(() => expect(told).toEqual([['success', 'Users Refreshed']]));
  expect(callsOf(listUsers)).toHaveLength(2);
  expect(callsOf(syncAuthProfiles)).toHaveLength(2);
  await sees('No users found');
});

test('USER-23 ERR1-10 when the sync made profiles, Users Synced is shown and the list is read again', async () => {
  answers.set(syncAuthProfiles, { success: true, results: { createdProfiles: 2 }, error: null });
  await openUsers();
  await waitFor(() => expect(told).toEqual([['success', 'Users Synced', '2 accounts had no profile and got one.']]));
  await waitFor(() => expect(callsOf(listUsers).length).toBeGreaterThan(1));
});

test('USER-24 ERR1-06 a sync that the admin starts is told, also when it fails', async () => {
  await openUsers();
  await sees('Robin Reyes');
  await waitFor(() => expect(callsOf(syncAuthProfiles)).toHaveLength(1));
  await press('Sync');
  await waitFor(() => expect(told).toEqual([['success', 'Users Synced', 'Every account has a profile.']]));
  answers.set(syncAuthProfiles, { refused: 'internal', detail: 'The sync is broken.' });
  await press('Sync');
  await waitFor(() => expect(told.at(-1)).toEqual(['error', 'Sync Failed', 'The sync is broken.']));
  expect(callsOf(syncAuthProfiles)).toHaveLength(3);
});

test('role requests that cannot be loaded have no number, also on a phone', async () => {
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media.includes('max-width: 47.99em') }),
  );
  answers.set(listRoleRequests, { refused: 'forbidden', detail: 'The requests are closed.' });
  await openUsers();
  await sees('The role requests could not be loaded');
  expect(screen.getByRole('heading', { name: /^Role requests/ }).textContent).toBe('Role requests');
});

test('USER-25 ERR1-06 ERR1-07 a list that cannot be loaded says why', async () => {
  answers.set(listUsers, { refused: 'forbidden', detail: 'The list is closed.' });
  await openUsers();
  await sees('Load ErrorFailed to load users: The list is closed.');
  // The panel says it. A toast would cover it on a phone.
  expect(told).toEqual([]);
  answers.set(listUsers, { rows: [user], nextCursor: null, previousCursor: null, matching: 1 });
  await press('Try again');
  await sees('Robin Reyes');
});

test('USER-09 USER-10 USER-11 ERR1-09 an edit sends what was changed, null for no track, and says User Updated', async () => {
  answers.set(updateUser, { ...user, firstName: 'Nadia', trackType: null, version: 4 });
  await openUsers();
  await sees('Robin Reyes');
  await press('Edit Robin Reyes');
  expect([...document.querySelectorAll('input')].map(({ value }) => value)).not.toContain(user.email);
  type('First name', 'Nadia');
  await choose('Program type', 'No track');
  answers.set(listUsers, {
    rows: [{ ...user, firstName: 'Nadia' }],
    nextCursor: null,
    previousCursor: null,
    matching: 1,
  });
  await press('Save');
  await waitFor(() => expect(told).toEqual([['success', 'User Updated', 'Nadia Reyes']]));
  expect(callsOf(updateUser).map(({ body }) => body)).toEqual([{ firstName: 'Nadia', trackType: null, version: 3 }]);
  await sees('Nadia Reyes');
});

test('USER-12 USER-13 USER-14 ERR1-06 a blank name is not sent; what the server refuses is told and can be given up', async () => {
  answers.set(updateUser, { refused: 'conflict', detail: 'Not now.' });
  await openUsers();
  await sees('Robin Reyes');
  await press('Edit Robin Reyes');
  type('Last name', ' ');
  await press('Save');
  await sees('Please enter a last name');
  expect(callsOf(updateUser)).toEqual([]);
  type('Last name', 'Rey');
  await press('Save');
  await waitFor(() => expect(told).toEqual([['error', 'Update Failed', 'Not now.']]));
  expect(labelled('Last name').value).toBe('Rey');
  await press('Cancel');
  await sees('Robin Reyes');
  expect(document.querySelector('form, input[value=Rey]')).toBeNull();
});

test('USER-16 USER-18 ERR1-06 a delete that fails is told and leaves the row', async () => {
  answers.set(deleteUser, { refused: 'conflict', detail: 'This is the last admin.' });
  await openUsers();
  await sees('Robin Reyes');
  await pressInMenu('More for Robin Reyes', 'Delete user');
  await waitFor(() => button('Delete user'));
  expect(callsOf(deleteUser)).toEqual([]);
  await press('Delete user');
  await waitFor(() => expect(told).toEqual([['error', 'Delete Failed', 'This is the last admin.']]));
  await sees('Robin Reyes');
});

test('Sign out everywhere asks first, then ends the sessions of the person and says how many; a refusal is told', async () => {
  answers.set(endSessionsOfPerson, { ended: 2 });
  await openUsers();
  await sees('Robin Reyes');
  await pressInMenu('More for Robin Reyes', 'Sign out everywhere');
  await sees('Robin Reyes is signed out on every device at once');
  expect(callsOf(endSessionsOfPerson)).toEqual([]);
  await press('Sign out everywhere');
  await waitFor(() => expect(told).toEqual([['success', 'Signed Out Everywhere', '2 sessions ended.']]));
  expect(callsOf(endSessionsOfPerson).map(({ path }) => path)).toEqual([`/api/users/${user.id}/sessions`]);
  await waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull());
  answers.set(endSessionsOfPerson, { refused: 'not_found', detail: 'They are gone.' });
  await pressInMenu('More for Robin Reyes', 'Sign out everywhere');
  await press('Sign out everywhere');
  await waitFor(() => expect(told.at(-1)).toEqual(['error', 'Sign-out Failed', 'They are gone.']));
});

test('Send invitation again asks first, then sends it and reads the list anew; a refusal is told', async () => {
  const invitation = { state: 'expired' as const, sentAt: user.createdAt, expiresAt: user.createdAt };
  const invited = { ...user, invitation, isEmailConfirmed: false, can: { ...user.can, resendInvitation: true } };
  const listed = (row: User) => ({ rows: [row], nextCursor: null, previousCursor: null, matching: 1 });
  answers.set(listUsers, listed(invited));
  answers.set(resendInvitation, { refused: 'conflict', detail: 'Accepted meanwhile.' });
  await openUsers();
  await sees('Invitation expired');
  await pressInMenu('More for Robin Reyes', 'Send invitation again');
  await sees('gets an email with a new link at robin@people.example. It works for 7 days');
  expect(callsOf(resendInvitation)).toEqual([]);
  await press('Send invitation');
  await waitFor(() => expect(told).toEqual([['error', 'Invitation Not Sent', 'Accepted meanwhile.']]));
  answers.set(resendInvitation, { done: true });
  answers.set(listUsers, listed({ ...invited, invitation: { ...invitation, state: 'sent' } }));
  await pressInMenu('More for Robin Reyes', 'Send invitation again');
  await press('Send invitation');
  await waitFor(() => expect(told.at(-1)).toEqual(['success', 'Invitation Sent', 'robin@people.example']));
  expect(callsOf(resendInvitation)[1]?.path).toBe(`/api/users/${user.id}/invitation`);
  await sees('Invitation sent');
});

test('Export CSV asks for the list as it is filtered and saves the answer as a file; a refusal is told', async () => {
  const saved: { address: string; name: string }[] = [];
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:test/${files.push(file as Blob)}`);
  const released = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push({ address: this.href, name: this.download });
  });
  answers.set(exportUsers, new Response('first_name,last_name\r\nRobin,Reyes\r\n'));
  await openUsers('?search=rob&role=participant&order=email');
  await sees('Robin Reyes');
  await press('Export CSV');
  await waitFor(() => expect(saved).toEqual([{ address: 'blob:test/1', name: 'users.csv' }]));
  expect(callsOf(exportUsers)[0]?.query).toEqual({ search: 'rob', role: 'participant', order: 'email' });
  expect(await files[0]?.text()).toBe('first_name,last_name\r\nRobin,Reyes\r\n');
  expect(released).toHaveBeenCalledWith('blob:test/1');
  expect(told).toEqual([]);
  answers.set(exportUsers, { refused: 'forbidden', detail: 'Not for you.' });
  await press('Export CSV');
  await waitFor(() => expect(told).toEqual([['error', 'Download Failed', 'Not for you.']]));
  expect(saved).toHaveLength(1);
});

test('the role of a person who has not confirmed the email cannot be chosen, and the screen says why', async () => {
  const unconfirmed = { ...user, isEmailConfirmed: false, can: { ...user.can, changeRole: false } };
  answers.set(listUsers, { rows: [unconfirmed], nextCursor: null, previousCursor: null, matching: 1 });
  await openUsers();
  await sees('Email not confirmed');
  await press('Edit Robin Reyes');
  await sees('It can be changed once they have confirmed their email.');
  const [, role] = [...document.querySelectorAll('label')].filter(({ textContent }) => textContent === 'Role');
  expect(document.getElementById(role?.htmlFor ?? '')).toHaveProperty('disabled', true);
});

test('USER-28 USER-31 ERR1-06 enrolling without a cohort is not sent; what the server refuses is told', async () => {
  const cohort = { id: user.id, name: 'Spring', status: 'active', programType: 'fellowship', capacity: 5 };
  answers.set(listEnrolmentTargets, { cohorts: [{ ...cohort, currentEnrollment: 2 }] });
  answers.set(enrolInCohort, { refused: 'conflict', detail: 'Spring is full: all 5 places are taken.' });
  await openUsers();
  await sees('Robin Reyes');
  await pressInMenu('More for Robin Reyes', 'Enroll in a cohort');
  await waitFor(() => button('Enroll participant'));
  await press('Enroll participant');
  expect(told).toEqual([['error', 'Cohort Required', 'Please select a cohort']]);
  expect(callsOf(enrolInCohort)).toEqual([]);
  await choose('Cohort', 'Spring (active, 3 places free)');
  await press('Enroll participant');
  await waitFor(() =>
    expect(told.at(-1)).toEqual(['error', 'Assignment Failed', 'Spring is full: all 5 places are taken.']),
  );
  expect(callsOf(enrolInCohort).map(({ body }) => body)).toEqual([
    { userId: user.id, cohortId: cohort.id, coachId: null },
  ]);
});

test('CASN-05 CASN-06 CASN-12 CASN-13 ERR1-03 ERR1-06 assigning asks for participants and a coach; refusals are told as what they are', async () => {
  await openAssignment();
  await sees('Robin Reyes');
  await press('Assign to coach');
  expect(told).toEqual([['error', 'No Selection', 'Please select at least one participant']]);
  const box = document.querySelector<HTMLInputElement>('[aria-label="Select Robin Reyes"]');
  await act(async () => box?.click());
  await press('Assign 1 participant');
  expect(told.at(-1)).toEqual(['error', 'No Coach', 'Please select a coach']);
  expect(callsOf(assignCoach)).toEqual([]);

  await choose('Coach', 'Nora Nye (4 participants)');
  answers.set(assignCoach, { refused: 'duplicate', detail: 'Some participants are already assigned to this coach' });
  await press('Assign 1 participant');
  const duplicate = ['warning', 'Duplicate Assignment', 'Some participants are already assigned to this coach'];
  await waitFor(() => expect(told.at(-1)).toEqual(duplicate));
  answers.set(assignCoach, { refused: 'stale', detail: 'Robin Reyes no longer waits.' });
  await press('Assign 1 participant');
  await waitFor(() => expect(told.at(-1)).toEqual(['error', 'Assignment Failed', 'Robin Reyes no longer waits.']));
});

test('CASN-14 ERR1-07 a list of participants that cannot be loaded says so', async () => {
  answers.set(listParticipantsWithoutCoach, { refused: 'forbidden', detail: 'Closed.' });
  await openAssignment();
  await sees('Failed to load participants');
});
