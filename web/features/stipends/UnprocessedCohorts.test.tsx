import { act } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listStipendCohorts, listUnprocessedCohorts, processUnprocessedCohorts } from '#contract/stipend-cohorts.ts';
import { listStipends, processStipends, readStipendWeek } from '#contract/stipends.ts';
import { answers, open, robin, sees, serveScreens, sessionOf, toasts } from '#test/support/web-screens.tsx';

serveScreens();
beforeEach(() => {
  const none = { cohortId: null, cohortName: null, firstDay: null, lastDay: null };
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin', trackType: null }));
  answers.set(readStipendWeek, () => ({ ...none, weekNumber: 5 }));
  answers.set(listStipendCohorts, () => ({ cohorts: [] }));
  answers.set(processStipends, () => ({ cohortId: null, changedRows: 0 }));
  answers.set(listStipends, () => ({ rows: [], nextCursor: null, matching: 0, summary: null }));
});

const pilot = { id: '00000000-0000-4000-8000-000000000009', name: 'Pilot', endedOn: '2025-12-26' };

test('"All cohorts" names the cohorts that are not calculated, and calculates them by one act', async () => {
  const names = ['Fall 2026', 'Spring 2027', 'Summer 2027', 'Winter 2027', 'Austin'];
  let unprocessed = names.map((name, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    name,
    endedOn: null,
  }));
  answers.set(listUnprocessedCohorts, () => ({ processed: 2, unprocessed }));
  let calculated = 0;
  answers.set(processUnprocessedCohorts, () => {
    calculated += 1;
    unprocessed = [];
    return { cohorts: 5, changedRows: 40 };
  });
  await open('/admin/stipend-management');
  await sees('5 cohorts not calculated for Week 5');
  await sees('Fall 2026, Spring 2027, Summer 2027 and 2 more');
  await press('2 more');
  await sees('Fall 2026, Spring 2027, Summer 2027, Winter 2027, Austin. Their stipends are not in this list yet.');
  await press('Calculate all');
  await sees('All cohorts are calculated for Week 5.');
  expect(toasts).toEqual([['success', 'Stipends Calculated', '5 cohorts calculated for Week 5.']]);
  expect(calculated).toBe(1);
});

test('a cohort that has ended is no warning: a quiet line says when it ended, and calculates it', async () => {
  let calculated = 0;
  answers.set(processUnprocessedCohorts, () => {
    calculated += 1;
    return { cohorts: 1, changedRows: 1 };
  });
  answers.set(listUnprocessedCohorts, () => ({ processed: 2, unprocessed: [pilot] }));
  await open('/admin/stipend-management');
  await sees('1 ended cohort not calculated for Week 5: Pilot (ended Fri 26 Dec 2025).');
  expect(document.querySelector('[role=note]')).toBeNull();
  await press('Calculate all');
  expect(calculated).toBe(1);
});

test('beside a cohort that runs, one that has ended is not counted in the warning', async () => {
  const austin = { id: '00000000-0000-4000-8000-000000000008', name: 'Austin', endedOn: null };
  answers.set(listUnprocessedCohorts, () => ({ processed: 2, unprocessed: [austin, pilot] }));
  await open('/admin/stipend-management');
  await sees('1 ended cohort not calculated for Week 5: Pilot (ended Fri 26 Dec 2025).');
  expect(document.querySelector('[role=note]')?.textContent).toBe(
    '1 cohort not calculated for Week 5Austin. Their stipends are not in this list yet.Calculate all',
  );
  expect(document.body.textContent?.match(/Calculate all/g)).toHaveLength(1);
});

const press = (name: string) =>
  act(async () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click());
