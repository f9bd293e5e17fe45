import { z } from 'zod';

type Issue = z.core.$ZodRawIssue;
type TooBig = Extract<Issue, { code: 'too_big' }>;
type TooSmall = Extract<Issue, { code: 'too_small' }>;
type WrongFormat = Extract<Issue, { code: 'invalid_format' }>;

const required = 'This is required.';
const wrong = 'This is not filled in correctly.';
const mostNamed = 12;

const kinds: Record<string, string> = {
  string: 'Enter text.',
  number: 'Enter a number.',
  nan: 'Enter a number.',
  int: 'Enter a whole number.',
  bigint: 'Enter a whole number.',
  boolean: 'Choose yes or no.',
  date: 'Enter a date.',
  array: 'Give this as a list.',
  object: 'Give this as a set of fields.',
  record: 'Give this as a set of fields.',
};

const formats: Record<string, string> = {
  email: 'Enter a valid email address.',
  url: 'Enter a full web address, like https://example.org.',
  uuid: 'This is not a valid ID.',
  guid: 'This is not a valid ID.',
  date: 'Enter a date like 2026-03-02.',
  datetime: 'Enter a date and time with a time zone, like 2026-03-02T15:00:00Z.',
  time: 'Enter a time like 14:30.',
};

/** Says what is wrong with a value that a schema refuses, if the schema has no words of its own. */
function sentenceFor(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue.input) ? required : (kinds[issue.expected] ?? wrong);
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'invalid_format':
      return formatSentence(issue);
    case 'invalid_value':
      if (isMissing(issue.input)) return required;
      return issue.values.length <= mostNamed
        ? `Choose one of these: ${issue.values.join(', ')}.`
        : 'Choose one of the options.';
    case 'not_multiple_of':
      return `Enter a multiple of ${figure(issue.divisor)}.`;
    case 'unrecognized_keys':
      return `These fields are not known here: ${issue.keys.join(', ')}.`;
    case 'invalid_union':
      return isMissing(issue.input) ? required : wrong;
    default:
      return wrong;
  }
}

/**
 * Gives a schema words for everything that can be wrong, except a value that is too long or too large. There it tells
 * the limit.
 */
export function unlessTooBig(words: string) {
  return { error: ({ code }: Issue) => (code === 'too_big' ? undefined : words) };
}

function tooBig({ origin, maximum, inclusive = true }: TooBig): string {
  if (origin === 'string') return `Use at most ${figure(maximum)} ${maximum === 1 ? 'character' : 'characters'}.`;
  if (origin === 'array' || origin === 'set') return `Choose at most ${figure(maximum)}.`;
  if (origin === 'date') return 'Choose an earlier date.';
  return inclusive ? `Enter ${figure(maximum)} or less.` : `Enter less than ${figure(maximum)}.`;
}

function tooSmall({ origin, minimum, inclusive = true }: TooSmall): string {
  if (origin === 'string') {
    return minimum === 1 ? required : `Use at least ${figure(minimum)} characters.`;
  }
  if (origin === 'array' || origin === 'set') return `Choose at least ${figure(minimum)}.`;
  if (origin === 'date') return 'Choose a later date.';
  return inclusive ? `Enter ${figure(minimum)} or more.` : `Enter more than ${figure(minimum)}.`;
}

function formatSentence(issue: WrongFormat): string {
  if (issue.input === '') return required;
  return formats[issue.format] ?? wrong;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function figure(value: number | bigint): string {
  return value.toLocaleString('en-US');
}

z.config({ customError: sentenceFor });
