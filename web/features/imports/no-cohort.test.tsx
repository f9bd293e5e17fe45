import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listImportableCohorts } from '#contract/imports.ts';
import { answers, open, robin, sees, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

const words = () => document.body.textContent ?? '';

test('without a cohort the screen says so above the place for a file, leads to where one is added, and still checks files', async () => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin' }));
  answers.set(listImportableCohorts, () => ({ cohorts: [] }));
  await open('/admin/bulk-invitations');
  await sees('so you cannot import anybody yet');
  expect(words().indexOf('Add a cohort first')).toBeLessThan(words().indexOf('Drop a CSV file here to check it'));
  expect(screen.getByText('Open Programme Setup').getAttribute('href')).toBe('/admin/programme-setup');
  expect(screen.getByLabelText<HTMLInputElement>('CSV file').disabled).toBe(false);

  answers.set(listImportableCohorts, () => ({ cohorts: [{ name: 'Spring', programType: 'fellowship' }] }));
  await open('/admin/bulk-invitations');
  await waitFor(() => expect(words()).toContain('Spring'));
  expect(words()).toContain('Drop a CSV file here, or click to choose one');
  expect(words()).not.toContain('Add a cohort first');
});
