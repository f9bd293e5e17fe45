import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listStipendCohorts, listUnprocessedCohorts } from '#contract/stipend-cohorts.ts';
import { listStipends, processStipends, readStipendWeek } from '#contract/stipends.ts';
import { aStipendRow } from '#test/support/a-stipend-row.ts';
import { answers, open, refused, robin, sees, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

test('STIP-07 a week whose figures could not be read shows its rows, and cards that are not loaded', async () => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin', trackType: null }));
  const none = { cohortId: null, cohortName: null, firstDay: null, lastDay: null };
  answers.set(readStipendWeek, () => ({ ...none, weekNumber: 5 }));
  answers.set(listStipendCohorts, () => ({ cohorts: [] }));
  answers.set(listUnprocessedCohorts, () => ({ processed: 0, unprocessed: [] }));
  answers.set(processStipends, () => ({ cohortId: null, changedRows: 0 }));
  answers.set(listStipends, () => ({ rows: [aStipendRow], nextCursor: null, matching: null, summary: null }));
  await open('/admin/stipend-management');
  await sees(aStipendRow.participantName);
  await waitFor(() => expect(document.body.textContent?.match(/Not loaded/g)).toHaveLength(4));
  expect(document.body.textContent).not.toContain('participants found');
  const bulk = [...document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Bulk Approve Eligible',
  );
  expect(bulk?.disabled).toBe(true);
});

test('while the current week is not loaded, the page says which week it shows, and only what it shows', async () => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin', trackType: null }));
  answers.set(readStipendWeek, refused('internal', 'Something went wrong.'));
  answers.set(listStipendCohorts, () => ({ cohorts: [] }));
  answers.set(listUnprocessedCohorts, () => ({ processed: 0, unprocessed: [] }));
  answers.set(processStipends, () => ({ cohortId: null, changedRows: 0 }));
  answers.set(listStipends, refused('internal', 'Something went wrong.'));
  await open('/admin/stipend-management');
  await sees('Failed to load stipend data');
  await sees('Week 1 is chosen because the current week could not be loaded. You can choose another week below.');
  expect(document.body.textContent).not.toContain('are shown');
  const held = () =>
    [...document.querySelectorAll('button')]
      .filter(({ textContent }) => textContent === 'Export' || textContent === 'Send to Webhook')
      .map((button) => [
        button.disabled,
        document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent,
      ]);
  const reason = 'Choose a week to export or send it.';
  expect(held()).toEqual([
    [true, reason],
    [true, reason],
  ]);
  fireEvent.click(screen.getByRole('combobox', { name: 'Week' }));
  await screen.findByRole('option', { name: 'Week 16' });
  await open('/admin/stipend-management?week=3');
  await sees('Week 3 is chosen. You can choose another week below.');
  expect(held().map(([isHeld]) => isHeld)).toEqual([false, false]);
  answers.set(listStipends, () => ({ rows: [aStipendRow], nextCursor: null, matching: null, summary: null }));
  await open('/admin/stipend-management?week=4');
  await sees('The stipends of week 4 are shown. You can choose another week below.');
});

test('the sum above the list says how much of what the rows could bring is eligible', async () => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin', trackType: null }));
  const none = { cohortId: null, cohortName: null, firstDay: null, lastDay: null };
  answers.set(readStipendWeek, () => ({ ...none, weekNumber: 5 }));
  answers.set(listStipendCohorts, () => ({ cohorts: [] }));
  answers.set(listUnprocessedCohorts, () => ({ processed: 0, unprocessed: [] }));
  answers.set(processStipends, () => ({ cohortId: null, changedRows: 0 }));
  const sums = { matching: 31, matchingCents: 1_515_000, matchingEligibleCents: 200_000 };
  answers.set(listStipends, () => ({ rows: [aStipendRow], nextCursor: null, ...sums, summary: null }));
  await open('/admin/stipend-management');
  await sees('$2,000 eligible of $15,150 possible');
});
