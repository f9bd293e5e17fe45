import { expect, test } from 'vitest';
import { filledIn, withoutName } from './saved-comments.ts';

const facts = { 'first name': 'Ana', assignment: 'Report {1}', week: 'Week 3' };

test('a saved comment is filled in wherever it leaves something open, and nowhere else', () => {
  expect(filledIn('{first name}, see {Assignment} ({ first  name }).', facts)).toBe('Ana, see Report {1} (Ana).');
  expect(filledIn('Use {x} and { } for {week}.', facts)).toBe('Use {x} and { } for Week 3.');
  expect(filledIn('Cost: $& {first name}', { ...facts, 'first name': '$1' })).toBe('Cost: $& $1');
});

test('a first name is left open where it stands as a word, in any script', () => {
  expect(withoutName('Ana, well done. Anabel and Zoë-Ana saw Ana.', 'Ana')).toBe(
    '{first name}, well done. Anabel and Zoë-{first name} saw {first name}.',
  );
  expect(withoutName('Łukasz (Łukasza)', 'Łukasz')).toBe('{first name} (Łukasza)');
  expect(withoutName('A.B. and AxB', 'A.B.')).toBe('{first name} and AxB');
  expect(withoutName('Nothing', ' ')).toBe('Nothing');
});
