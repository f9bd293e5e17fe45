import { expect, test } from 'vitest';
import { whyGuessable } from './guessable-passwords.ts';

const robin = { email: 'robin.reyes-1@people.example', firstName: 'Robín', lastName: 'Reyes' };

test.each([
  ['qwerty123', 'one of the most used'],
  ['P@ssw0rd', 'one of the most used'],
  ['Password1!', 'a common word'],
  ['P@ssw0rd1', 'a common word'],
  ['Pa$$w0rd-2026', 'a common word'],
  ['Welcome2026!', 'a common word'],
  ['We1come99', 'a common word'],
  ['$ummer2026', 'a common word'],
  ['L3tm3in!!', 'a common word'],
  ['Let.Me.In.7', 'a common word'],
  ['12345678!', 'a common word'],
  ['Sw1tchyard2026', 'a common word'],
  ['Robin.Reyes-1', 'your name'],
  ['robin.reyes-1@people.example', 'your e-mail address'],
  ['R0bin2026!', 'your name'],
  ['RReyes99!', 'your name'],
  ['7reyesrobin', 'your name'],
])('%s is guessed, and the sentence says why: %s', (password, reason) => {
  expect(whyGuessable(password, robin)).toContain(reason);
});

test.each([
  'Turbine7',
  'turbine-hall',
  'Power-Up-2026!',
  'New-Power-2',
  'robin-in-the-dynamo',
  'correct horse 4',
  '7!',
])('%s is not on anybody’s list', (password) => {
  expect(whyGuessable(password, robin)).toBeNull();
});

test('a name that is missing or one letter long refuses nothing', () => {
  expect(whyGuessable('x-77-1984', { email: 'x@people.example', firstName: '', lastName: 'X' })).toBeNull();
});
