import { expect, test } from 'vitest';
import type { CoachChoice } from '#contract/coach-assignment.ts';
import { coachChoiceMeans, roleChangeMeans } from './user-words.ts';

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
  expect(coachChoiceMeans(nora, null)).toBe('Optional. Without a choice Nora Nye stays their coach.');
  expect(coachChoiceMeans(nora, nora)).toBe('Nora Nye is their coach already.');
  expect(coachChoiceMeans(nora, cole)).toBe(
    'Their coach is Nora Nye now. In the course of the cohort Casey Cole takes over.',
  );
});

test('what a new role means is said before it is given: cohorts, participants, sessions and the mail', () => {
  const standing = { cohorts: [{ name: 'Spring' }, { name: 'Fall' }], coachedCount: 2 };
  expect(roleChangeMeans({ ...standing, role: 'participant' }, 'coach')).toBe(
    'They leave Spring, Fall. Coaching sessions to come are cancelled. They are told by mail.',
  );
  expect(roleChangeMeans({ ...standing, role: 'coach' }, 'admin')).toBe(
    '2 participants will be without a coach until you assign one. Coaching sessions to come are cancelled. They are told by mail.',
  );
  expect(roleChangeMeans({ ...standing, role: 'coach' }, 'coach')).toBeNull();
});
