import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { changeOwnNames } from '#contract/own-details.ts';
import {
  answers,
  called,
  fill,
  open,
  press,
  robin,
  sees,
  serveScreens,
  sessionOf,
} from '#test/support/web-screens.tsx';
import { refresh } from '../../../api/query-for.ts';

serveScreens();

const field = (label: string) =>
  document.getElementById(
    [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.htmlFor ?? '',
  ) as HTMLInputElement;

test('a name that an admin has corrected meanwhile is shown, and not sent back by the person who changes the other one', async () => {
  answers.set(readSession, () => sessionOf({ ...robin, lastName: 'Rayes' }));
  await open('/account/security');
  await sees('Your details');
  await fill({ 'First name': 'Robina' });
  answers.set(readSession, () => sessionOf(robin));
  await refresh([readSession]);
  await waitFor(() => expect(field('Last name').value).toBe('Reyes'));
  expect(field('First name').value).toBe('Robina');

  answers.set(changeOwnNames, () => ({ firstName: 'Robina', lastName: 'Reyes' }));
  answers.set(readSession, () => sessionOf({ ...robin, firstName: 'Robina' }));
  await press('Save name');
  await waitFor(() => expect(called.filter(({ path }) => path === changeOwnNames.path)).toHaveLength(1));
  expect(called.find(({ path }) => path === changeOwnNames.path)?.body).toEqual({ firstName: 'Robina' });
  await sees('Robina Reyes');
  expect(field('First name').value).toBe('Robina');
});
