import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Fellowship } from '#contract/fellowship.ts';
import { draw } from '#test/support/draw.tsx';
import { FellowshipPanels } from './FellowshipPage.tsx';

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
