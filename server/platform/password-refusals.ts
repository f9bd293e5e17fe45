import { dictionary } from '@zxcvbn-ts/language-common';
import { AppError } from '#server/platform/errors.ts';

export interface PasswordOwner {
  email: string;
  firstName: string;
  lastName: string;
}

const mostUsed = new Set(dictionary['passwords-common'].map((password) => password.toLowerCase()));

/** Wherever a password is chosen. Throws 'invalid_input' at the field `path`, with the reason. */
export function refuseGuessablePassword(password: string, owner: PasswordOwner, path: string): void {
  const message = whyGuessable(password, owner);
  if (message !== null) throw new AppError('invalid_input', message, { errors: [{ path, message }] });
}

function whyGuessable(password: string, owner: PasswordOwner): string | null {
  if (mostUsed.has(password.toLowerCase())) {
    return 'This password is one of the most used ones and is guessed at once. Please choose another.';
  }
  if (isOwnName(password, owner)) {
    return 'A password must not be your e-mail address or your name. Please choose another.';
  }
  return null;
}

/** Also with digits and signs around it: 'Robin.Reyes-1' is no better than 'robinreyes'. */
function isOwnName(password: string, { email, firstName, lastName }: PasswordOwner): boolean {
  if (password.toLowerCase() === email.toLowerCase()) return true;
  const [localPart = ''] = email.split('@');
  const names = [email, localPart, firstName, lastName, `${firstName}${lastName}`, `${lastName}${firstName}`];
  const letters = lettersOf(password);
  return letters !== '' && names.some((name) => lettersOf(name) === letters);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, '');
}
