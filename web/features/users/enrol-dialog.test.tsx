import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listCoaches } from '#contract/coach-assignment.ts';
import { syncAuthProfiles } from '#contract/documented-functions.ts';
import { enrolInCohort, listEnrolmentTargets, previewCoachReplacement } from '#contract/enrolments.ts';
import { listUsers } from '#contract/user-management.ts';
import { listRoleRequests } from '#contract/users.ts';
import {
  answers,
  called,
  open,
  press,
  refused,
  robin,
  sees,
  serveScreens,
  sessionOf,
  toasts,
} from '#test/support/web-screens.tsx';
import { aUser } from './a-user.ts';

const user = aUser;
const coach = { id: robin.id, firstName: 'Nora', lastName: 'Nye', email: 'nora@people.example', participantCount: 4 };

serveScreens();

const enrolments = () =>
  called.filter(({ path, body }) => path === enrolInCohort.path && body !== undefined && body !== null);

async function choose(label: string, option: string) {
  await act(async () => labelled(label).click());
  await waitFor(() => expect(optionCalled(option)).toBeDefined());
  await act(async () => optionCalled(option)?.click());
}
const optionCalled = (option: string) =>
  [...document.querySelectorAll<HTMLElement>('[role=option]')].find(({ textContent }) => textContent?.includes(option));

function labelled(label: string): HTMLInputElement {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) => textContent?.startsWith(label));
  const field = found && document.getElementById(found.htmlFor);
  if (!(field instanceof HTMLInputElement)) throw new Error(`There is no field ${label}.`);
  return field;
}

test('a coach who replaces another one is sent with what becomes of booked sessions, which nobody chooses by accident', async () => {
  const cohort = { id: user.id, name: 'Spring', status: 'active', programType: 'fellowship', capacity: 5 };
  answers.set(listEnrolmentTargets, () => ({ cohorts: [{ ...cohort, currentEnrollment: 2 }] }));
  const formerCoach = { id: user.id, firstName: 'Casey', lastName: 'Cole' };
  answers.set(previewCoachReplacement, refused('internal', 'Something went wrong.'));
  const person = { firstName: 'Robin', lastName: 'Reyes', cohortName: 'Spring', coachName: 'Nora Nye' };
  answers.set(enrolInCohort, () => ({ ...person, sessions: { moved: 9, cancelled: 3 } }));
  answers.set(readSession, () => sessionOf({ ...robin, firstName: 'Ada', lastName: 'Admin', role: 'admin' }));
  answers.set(listRoleRequests, () => ({ rows: [], nextCursor: null }));
  answers.set(listUsers, () => ({ rows: [user], nextCursor: null, previousCursor: null, matching: 1 }));
  answers.set(syncAuthProfiles, () => ({ success: true, results: { createdProfiles: 0 }, error: null }));
  answers.set(listCoaches, () => ({ rows: [coach], nextCursor: null }));
  await open('/admin/user-management');
  await sees('Robin Reyes');
  await act(async () => document.querySelector<HTMLElement>('[aria-label="More for Robin Reyes"]')?.click());
  const item = await screen.findByRole('menuitem', { name: 'Enroll in a cohort' });
  await act(async () => item.click());
  await sees('Enroll participant');
  await choose('Cohort', 'Spring (active, 3 places free)');
  await choose('Coach', 'Nora Nye (4 participants)');
  await sees('Booked sessions could not be counted');
  await press('Enroll participant');
  expect(enrolments()).toEqual([]);
  answers.set(previewCoachReplacement, () => ({ formerCoach, booked: 12, movable: 9 }));
  await press('Try again');
  await sees('12 sessions booked with Casey Cole');
  await sees('Nora Nye can take 9. The other 3 are cancelled.');
  await press('Enroll participant');
  await sees('Please choose what happens to the booked sessions');
  expect(enrolments()).toEqual([]);
  expect(document.activeElement?.getAttribute('value')).toBe('move');
  await act(async () => document.querySelector<HTMLInputElement>('input[value=move]')?.click());
  await press('Enroll participant');
  await waitFor(() =>
    expect(toasts.at(-1)).toEqual([
      'success',
      'Cohort Assignment Successful',
      'Robin Reyes is in Spring with Nora Nye now. 9 sessions moved, 3 sessions cancelled.',
    ]),
  );
  expect(enrolments().map(({ body }) => body)).toEqual([
    { userId: user.id, cohortId: cohort.id, coachId: coach.id, bookedSessions: 'move' },
  ]);
});
