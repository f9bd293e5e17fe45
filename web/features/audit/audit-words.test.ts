import { expect, test } from 'vitest';
import { actionInWords, changesOf, kindInWords } from './audit-words.ts';

const cohort = '00000000-0000-7000-8000-000000000001';
const names = { [cohort]: 'Fall lines' };

test.each([
  ['stipend.deny', 'Denied a stipend'],
  ['role_request.approve', 'Approved a role request'],
  ['resource.update', 'Updated a resource'],
  ['attendance.remove', 'Took attendance back'],
  ['user.create', 'Created a user'],
  ['activity.copy', 'Copied an activity'],
  ['import.undo', 'Undid an import'],
  ['track.lock', 'Locked a track'],
])('the action %s is read as: %s', (action, words) => {
  expect(actionInWords(action)).toBe(words);
});

test('kinds of record are named as the screens name them', () => {
  expect(['person', 'bulk_import', 'track_selection'].map(kindInWords)).toEqual([
    'Person',
    'Bulk upload',
    'Track selection',
  ]);
});

test('a change is said in words: money, days, yes and no, names instead of ids', () => {
  expect(
    changesOf(
      {
        before: { amountCents: 50_000, isLocked: false, trackType: null, role: 'coach' },
        after: {
          amountCents: 45_050,
          isLocked: true,
          trackType: 'self_learner',
          role: 'coach',
          cohortId: cohort,
          roles: ['admin', 'coach'],
          startsOn: '2026-01-05',
          lockedAt: '2026-01-05T15:00:00.000Z',
        },
      },
      names,
    ),
  ).toEqual([
    { label: 'Amount', from: '$500', to: '$450.50' },
    { label: 'Is locked', from: 'no', to: 'yes' },
    { label: 'Track type', from: 'none', to: 'self learner' },
    { label: 'Role', from: null, to: 'coach' },
    { label: 'Cohort', from: null, to: 'Fall lines' },
    { label: 'Roles', from: null, to: 'admin, coach' },
    { label: 'Starts on', from: null, to: 'Mon 5 Jan 2026' },
    { label: 'Locked at', from: null, to: 'Mon 5 Jan 2026, 10:00 AM ET' },
  ]);
  expect(changesOf({ before: { title: 'Ohm' }, after: null }, {})).toEqual([{ label: 'Title', from: null, to: 'Ohm' }]);
  expect(changesOf({ before: null, after: null }, {})).toEqual([]);
});
