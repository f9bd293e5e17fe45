import { type TranslationKeys, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { AppError } from '#server/platform/errors.ts';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';

interface PasswordOwner {
  email: string;
  firstName: string;
  lastName: string;
}

/**
 * The library gives score 0 up to 1,000 guesses. Here the score reaches further, so that all of its 49,233 most used
 * passwords have it. Six characters without a pattern take a million guesses, and pass (AUTH-13).
 */
const guessesOfScoreZero = 50_000;
/** Keeps a password from keeping the process busy: signs for letters multiply what the library looks at. */
const effort = { maxLength: 32, l33tMaxSubstitutions: 16 };
const ours = 'switchyard';

const isMostUsed = 'This is one of the most common passwords, so it is easy to guess.';
const isPattern = 'Characters in a row, from the alphabet or the keyboard, are easy to guess.';
const isRepeated = 'Characters that repeat are easy to guess.';
const isDate = 'Dates and years are easy to guess.';
const isWord = 'A single word or name is easy to guess.';
const isOwn = 'Your name, your email address and our name are easy to guess.';

const reasons: Record<keyof TranslationKeys['warnings'], string> = {
  straightRow: isPattern,
  keyPattern: isPattern,
  sequences: isPattern,
  simpleRepeat: isRepeated,
  extendedRepeat: isRepeated,
  recentYears: isDate,
  dates: isDate,
  topTen: isMostUsed,
  topHundred: isMostUsed,
  common: isMostUsed,
  pwned: isMostUsed,
  similarToCommon: 'This password is too close to one of the most common ones.',
  wordByItself: isWord,
  namesByThemselves: isWord,
  commonNames: isWord,
  userInputs: isOwn,
};
const published = 'Everybody knows this password from the demo accounts.';

let library: ZxcvbnFactory | undefined;

/** Judges every password that a person chooses. Throws 'invalid_input' at the field `path`, with the reason. */
export function refuseGuessablePassword(password: string, owner: PasswordOwner, path: string): void {
  const reason = password === demoPassword ? published : whyGuessable(password, owner);
  if (reason === null) return;
  const message = `${reason} Please choose another.`;
  throw new AppError('invalid_input', message, { errors: [{ path, message }] });
}

function whyGuessable(password: string, { email, firstName, lastName }: PasswordOwner): string | null {
  // The lists take a while to unpack, so only requests that choose a password wait for them.
  library ??= loadLibrary();
  const [localPart = ''] = email.split('@');
  const own = [email, localPart, firstName, lastName, firstName + lastName, lastName + firstName, ours];
  const { score, feedback } = library.check(password, own.filter(Boolean));
  if (score > 0) return null;
  return isKnown(feedback.warning) ? reasons[feedback.warning] : 'This password is easy to guess.';
}

function loadLibrary(): ZxcvbnFactory {
  return new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    ...effort,
    timeEstimationValues: {
      scoring: { 0: guessesOfScoreZero, 1: 1e6, 2: 1e8, 3: 1e10 },
      attackTime: {
        onlineThrottlingXPerHour: 100,
        onlineNoThrottlingXPerSecond: 10,
        offlineSlowHashingXPerSecond: 1e4,
        offlineFastHashingXPerSecond: 1e10,
      },
    },
  });
}

function isKnown(warning: string | null): warning is keyof typeof reasons {
  return warning !== null && warning in reasons;
}
