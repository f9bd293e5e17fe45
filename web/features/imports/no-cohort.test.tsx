import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listImportableCohorts } from '#contract/imports.ts';
import { answers, open, robin, sees, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

const words = () => document.body.textContent ?? '';

const openWith = async (cohorts: { name: string; programType: string }[]) => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin' }));
  answers.set(listImportableCohorts, () => ({ cohorts }));
  await open('/admin/bulk-invitations');
};

test('without a cohort the screen says so above the place for a file, leads to where one is added, and still checks files', async () => {
  await openWith([]);
  await sees('so you cannot import anybody yet');
  expect(words().indexOf('Add a cohort first')).toBeLessThan(words().indexOf('Drop a CSV file here to check it'));
  expect(screen.getByText('Open Programme Setup').getAttribute('href')).toBe('/admin/programme-setup');
  expect(screen.getByLabelText<HTMLInputElement>('CSV file').disabled).toBe(false);
});

test('with a cohort the place for a file is open', async () => {
  await openWith([{ name: 'Spring', programType: 'fellowship' }]);
  await sees('Spring');
  expect(words()).toContain('Drop a CSV file here, or click to choose one');
  expect(words()).not.toContain('Add a cohort first');
});
