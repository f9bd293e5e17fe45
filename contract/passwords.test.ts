import { expect, test } from 'vitest';
import { areRulesMet, resetPasswordRules, specialCharacters } from './passwords.ts';

const unmet = (password: string, confirmation = password) =>
  resetPasswordRules(password, confirmation)
    .filter(({ isMet }) => !isMet)
    .map(({ key }) => key);

test('AUTH-31 a new password needs all six: length, both cases, a digit, a special character and its repetition', () => {
  expect(unmet('Rotor-1!')).toEqual([]);
  expect(areRulesMet(resetPasswordRules('Rotor-1!', 'Rotor-1!'))).toBe(true);
  expect(unmet('Roto-1!')).toEqual(['length']);
  expect(unmet('rotor-1!')).toEqual(['uppercase']);
  expect(unmet('ROTOR-1!')).toEqual(['lowercase']);
  expect(unmet('Rotor-x!')).toEqual(['digit']);
  expect(unmet('RotorX12')).toEqual(['special']);
  expect(unmet('Rotor-1!', 'Rotor-1')).toEqual(['match']);
  expect(unmet('')).toEqual(['length', 'uppercase', 'lowercase', 'digit', 'special', 'match']);
  for (const one of ['Roto-1!', 'rotor-1!', 'ROTOR-1!', 'Rotor-x!', 'RotorX12']) {
    expect(areRulesMet(resetPasswordRules(one, one)), one).toBe(false);
  }
});

test('AUTH-31 each of the special characters does, and no other character', () => {
  const set = [..."!@#$%^&*()_+-=[]{};':|,.<>/?", '\\', '"'];
  expect([...specialCharacters].toSorted()).toEqual(set.toSorted());
  for (const character of set) expect(unmet(`Rotor12${character}`), character).toEqual([]);
  for (const character of ['~', '`', ' ', '€', 'ß', '§', '\t', '。']) {
    expect(unmet(`Rotor12${character}`), character).toEqual(['special']);
  }
});
