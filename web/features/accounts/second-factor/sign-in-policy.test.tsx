import { act, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { changeSignInPolicy, readSignInPolicy } from '#contract/second-factor.ts';
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
import { refresh } from '../../../api/query-for.ts';

serveScreens();

const rule = (...secondFactorRoles: string[]) => ({ secondFactorRoles, without: { coach: 1, admin: 2 } });

function box(label: string): HTMLInputElement {
  const named = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label);
  return document.getElementById(named?.htmlFor ?? '') as HTMLInputElement;
}

const checked = () => ['All coaches', 'All admins'].map((label) => box(label).checked);

test('what an admin chose stays while another one saves the rule, is not saved over it, and then shows what is saved', async () => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin', trackType: null }));
  answers.set(readSignInPolicy, () => rule());
  await open('/account/security');
  await sees('Save rule');
  await act(async () => box('All coaches').click());

  answers.set(readSignInPolicy, () => rule('admin'));
  await act(async () => void (await refresh([readSignInPolicy])));
  expect(checked()).toEqual([true, false]);
  answers.set(changeSignInPolicy, refused('stale', 'Another admin has just changed this rule.'));
  await press('Save rule');
  await waitFor(() => expect(checked()).toEqual([false, true]));
  expect(toasts.at(-1)).toEqual(['error', 'Rule Not Saved', 'Another admin has just changed this rule.']);

  await act(async () => box('All coaches').click());
  answers.set(changeSignInPolicy, () => rule('admin', 'coach'));
  answers.set(readSignInPolicy, () => rule('admin', 'coach'));
  await press('Save rule');
  await waitFor(() => expect(toasts.at(-1)?.[1]).toBe('Rule Saved'));
  const saved = called.filter(({ path, body }) => path === changeSignInPolicy.path && body !== null);
  expect(saved.map(({ body }) => body)).toEqual([
    { secondFactorRoles: ['coach'], seen: [] },
    { secondFactorRoles: ['admin', 'coach'], seen: ['admin'] },
  ]);
});
