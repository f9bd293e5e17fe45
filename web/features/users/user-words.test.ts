import { expect, test } from 'vitest';
import type { CoachChoice } from '#contract/coach-assignment.ts';
import { bookedSessionsWords, coachChoiceMeans, roleChangeMeans, settledSessions } from './user-words.ts';

const nora: CoachChoice = {
  id: 'nora',
  firstName: 'Nora',
  lastName: 'Nye',
  email: 'nora@coaches.example',
  participantCount: 2,
};
const cole: CoachChoice = { ...nora, id: 'cole', firstName: 'Casey', lastName: 'Cole' };

test('USER-29 what the choice of a coach means for the present one is said before the enrolment', () => {
  expect(coachChoiceMeans(null, cole)).toBe('Optional.');
  expect(coachChoiceMeans(nora, null)).toBe('Optional. If you choose nobody, Nora Nye stays their coach.');
  expect(coachChoiceMeans(nora, nora)).toBe('Nora Nye is their coach already.');
  expect(coachChoiceMeans(nora, cole)).toBe('Their coach is Nora Nye now. In this cohort, Casey Cole takes over.');
});

test('what a new role means is said before it is given: cohorts, participants, sessions and the mail', () => {
  const standing = { cohorts: [{ name: 'Spring' }, { name: 'Fall' }], coachedCount: 2, sessionsToCome: 12 };
  expect(roleChangeMeans({ ...standing, role: 'participant' }, 'coach')).toBe(
    'They leave Spring, Fall. 12 booked coaching sessions are cancelled. We email them.',
  );
  expect(roleChangeMeans({ ...standing, role: 'coach' }, 'admin')).toBe(
    '2 participants will be without a coach until you assign one. 12 booked coaching sessions are cancelled. We email them.',
  );
  expect(roleChangeMeans({ ...standing, role: 'coach' }, 'coach')).toBeNull();
  expect(roleChangeMeans({ cohorts: [], coachedCount: 0, sessionsToCome: 0, role: 'coach' }, 'admin')).toBe(
    'We email them.',
  );
});

test('what becomes of booked sessions is said in numbers, before and after another coach takes over', () => {
  const words = (booked: number, movable: number) =>
    bookedSessionsWords({ booked, movable, formerCoach: { id: 'nora', firstName: 'Nora', lastName: 'Nye' } }, cole);
  expect(words(12, 9)).toMatchObject({
    label: '12 sessions booked with Nora Nye',
    move: {
      label: 'Move to Casey Cole, same times',
      means: 'Casey Cole can take 9. The other 3 are cancelled.',
    },
    keep: { label: 'Keep with Nora Nye' },
    cancel: { label: 'Cancel all 12' },
  });
  expect(words(2, 2).move?.means).toBe('Casey Cole is free at all of these times.');
  expect(words(2, 1).move?.means).toBe('Casey Cole can take 1. The other one is cancelled.');
  expect(words(2, 0).move).toBeNull();
  expect(settledSessions({ moved: 9, cancelled: 3 })).toBe(' 9 sessions moved, 3 sessions cancelled.');
  expect(settledSessions({ moved: 0, cancelled: 0 })).toBe('');
});
