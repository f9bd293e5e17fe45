import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { readActivity } from '#contract/learning.ts';
import { readPerson } from '#contract/people.ts';
import type { Role } from '#contract/roles.ts';
import { listStipendWeeksOf } from '#contract/stipend-weeks.ts';
import { readAssignment } from '#contract/submissions.ts';
import { answers, open, refused, robin, sees, serveScreens, sessionOf, toasts } from '#test/support/web-screens.tsx';

serveScreens();

const id = '00000000-0000-7000-8000-00000000000a';
const signInAs = (role: Role) => answers.set(readSession, () => sessionOf({ ...robin, role }));

test.each([
  ['admin', `/people/${id}`, 'This person does not exist, or was deleted.'],
  ['coach', `/people/${id}`, 'This person does not exist, or is not someone you work with.'],
  ['admin', `/stipends/${id}`, 'This participant does not exist, or was deleted.'],
  ['coach', `/stipends/${id}`, 'This participant does not exist, or is not someone you work with.'],
  ['admin', `/assignment/${id}`, 'It does not exist, or was deleted.'],
  ['coach', `/assignment/${id}`, 'It does not exist, or it is not open to you.'],
  ['participant', `/assignment/${id}`, 'It does not exist, or it is not part of your program.'],
] satisfies [Role, string, string][])('what is missing is explained to a %s at %s: %s', async (role, place, words) => {
  signInAs(role);
  for (const read of [readPerson, listStipendWeeksOf, readAssignment]) answers.set(read, refused('not_found', 'No.'));
  await open(place);
  await sees(words);
});

test.each([
  ['admin', 'It does not exist, or was deleted.'],
  ['participant', 'It does not exist, or it is not part of your program.'],
] satisfies [Role, string][])('ACT-10 a missing activity is explained to a %s: %s', async (role, words) => {
  signInAs(role);
  answers.set(readActivity, refused('not_found', 'No.'));
  await open(`/activity/${id}`);
  await waitFor(() => expect(toasts).toContainEqual(['info', 'Activity Not Found', words]));
});
