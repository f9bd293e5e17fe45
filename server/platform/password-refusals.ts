import { dictionary } from '@zxcvbn-ts/language-common';
import { type GuessedFirst, type PasswordOwner, whyGuessable } from '#contract/guessable-passwords.ts';
import { demoPassword } from '#server/platform/demo-accounts.ts';
import { AppError } from '#server/platform/errors.ts';

/** The list is ordered by use. Its later words, with a digit, are no worse than most passwords. */
const wordCount = 10_000;
const mostUsed = dictionary['passwords-common'].map((password) => password.toLowerCase());
const known: GuessedFirst = {
  passwords: new Set(mostUsed),
  words: new Set(mostUsed.slice(0, wordCount)),
};

const published = 'This password is published for the demo accounts. Please choose another.';

/** Wherever a password is chosen. Throws 'invalid_input' at the field `path`, with the reason. */
export function refuseGuessablePassword(password: string, owner: PasswordOwner, path: string): void {
  const message = password === demoPassword ? published : whyGuessable(password, owner, known);
  if (message !== null) throw new AppError('invalid_input', message, { errors: [{ path, message }] });
}
