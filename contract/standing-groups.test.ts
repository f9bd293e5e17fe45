import { expect, test } from 'vitest';
import { groupStandings, standingGroup, standingGroups } from './standing.ts';

const programme = (daysAheadBehind: number | null, overallPercentage = 20) => ({ daysAheadBehind, overallPercentage });

test.each([
  ['pay that falls short', { isOutOfReach: true, programme: programme(10) }, 'atRisk'],
  ['a week behind', { isOutOfReach: false, programme: programme(-7) }, 'behind'],
  ['some days behind', { isOutOfReach: false, programme: programme(-6) }, 'onTrack'],
  ['nothing counted yet', { isOutOfReach: false, programme: programme(null) }, 'onTrack'],
  ['a complete program', { isOutOfReach: false, programme: programme(-14, 100) }, 'onTrack'],
] as const)('a person with %s is in one group of a cohort’s figures', (_, facts, group) => {
  expect(standingGroup(facts)).toBe(group);
  expect(groupStandings[group].state).toBe(group);
});

test('each group has words of its own', () => {
  expect(new Set(standingGroups.map((group) => groupStandings[group].label)).size).toBe(standingGroups.length);
});

test('a person who is behind schedule with pay at risk is counted once, and the words of the other group say so', () => {
  expect(standingGroup({ isOutOfReach: true, programme: programme(-14) })).toBe('atRisk');
  expect(groupStandings.behind).toMatchObject({
    label: 'Behind schedule only',
    sentence: 'At least 1 week behind schedule, with pay not at risk.',
  });
});
