import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { type Fellowship, readFellowship } from '#contract/fellowship.ts';
import { alerts, draw } from '#test/support/draw.tsx';
import { answers, open, refused, robin, serveScreens, sessionOf } from '#test/support/web-screens.tsx';
import { FellowshipPanels } from './FellowshipPage.tsx';

serveScreens();

const cohort = {
  name: 'Autumn fellows',
  description: '',
  startDate: '2025-09-08',
  endDate: '2025-12-26',
  currentEnrollment: 12,
  capacity: 30,
  status: 'active',
};

test.each(['', 'undefined'])('FELL-11 a membership whose cohort has the id "%s" says that it is not valid', (id) => {
  const fellowship: Fellowship = {
    cohort: { ...cohort, id },
    courses: [],
    progress: { overallPercentage: 0, status: 'on_track', daysAheadBehind: null },
    coreModules: { completed: 0, total: 0 },
    modules: [],
    tracks: [],
    selection: null,
    can: { selectTrack: false, lockTrack: false },
  };
  draw(<FellowshipPanels fellowship={fellowship} />);
  expect(screen.queryByText('No valid cohort ID found')).not.toBeNull();
  expect(screen.queryByText(/Autumn fellows/)).toBeNull();
});

test('FELL-10 a load failure is one sentence with its reason', async () => {
  answers.set(readSession, () => sessionOf(robin));
  answers.set(readFellowship, refused('not_found', 'The reading broke.'));
  await open('/fellowship');
  expect(await screen.findByText('Failed to load fellowship data: The reading broke.')).toBeTruthy();
  expect(alerts()).toEqual(['Failed to load fellowship data: The reading broke.Try again']);
});
