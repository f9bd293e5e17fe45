export interface PasswordOwner {
  email: string;
  firstName: string;
  lastName: string;
}

type Texts = Pick<ReadonlySet<string>, 'has'>;

/** Long lists that only the server keeps; the worst are known here. */
export interface GuessedFirst {
  /** Passwords as people use them most, in lower case. */
  passwords: Texts;
  /** What is tried with digits and signs around it, in letters only. */
  words: Texts;
}

const worst: Texts = new Set(
  `password passwort passw0rd p@ssw0rd passwords pass qwerty qwertz qwertyuiop azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm abc abcd abcde
  abcdef abcdefg abcdefgh iloveyou loveyou letmein welcome hello login admin administrator root guest user test testing
  tester default secret changeme trustno master dragon monkey shadow sunshine princess football baseball basketball
  soccer hockey superman batman starwars pokemon computer internet freedom whatever flower spring summer autumn fall
  winter january february march april may june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday michael jordan jennifer charlie ashley daniel jessica thomas robert andrew switchyard
  123456 1234567 12345678 123456789 1234567890 123123 111111 000000 654321 666666 qwerty123 password1 abc123 1q2w3e4r`.split(
    /\s+/,
  ),
);

/** What people write instead of a letter. A 1 stands for two letters. */
const lookalikes: Record<string, string> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '+': 't',
};
const lookalikesOfOne = ['i', 'l'];
const outerDigitsAndSigns = { both: /^[^\p{L}]+|[^\p{L}]+$/gu, last: /[^\p{L}]+$/u, first: /^[^\p{L}]+/u };

/** Why somebody who guesses would soon try this password, in a sentence for its owner; null when nothing is known. */
export function whyGuessable(
  password: string,
  owner: PasswordOwner,
  known: GuessedFirst = { passwords: worst, words: worst },
): string | null {
  const text = password.toLowerCase();
  const isMostUsed = (candidate: string) => worst.has(candidate) || known.passwords.has(candidate);
  if (isMostUsed(text)) {
    return 'This password is one of the most used ones and is guessed at once. Please choose another.';
  }
  const cores = coresOf(text);
  if (text === owner.email.toLowerCase() || namesOf(owner).some((name) => cores.includes(name))) {
    return 'A password must not be your e-mail address or your name. Please choose another.';
  }
  if (isMostUsed(withoutSigns(text)) || cores.some((core) => worst.has(core) || known.words.has(core))) {
    return 'This password is a common word with digits or signs, which is guessed at once. Please choose another.';
  }
  return null;
}

/** The words that the password may have been made of: digits and signs are ornaments, or stand for letters. */
function coresOf(text: string): string[] {
  const { both, last, first } = outerDigitsAndSigns;
  const kept = [text.replace(both, ''), text.replace(last, ''), text.replace(first, ''), text];
  const read = kept.flatMap((part) => lookalikesOfOne.map((letter) => lettersOf(unmask(part, letter))));
  return [...read, lettersOf(text)].filter((core) => core !== '');
}

function unmask(text: string, one: string): string {
  return text.replace(/[1!|]/g, one).replace(/[0345789@$+]/g, (sign) => lookalikes[sign] ?? sign);
}

function namesOf({ email, firstName, lastName }: PasswordOwner): string[] {
  const [localPart = ''] = email.split('@');
  const [first, last] = [lettersOf(firstName), lettersOf(lastName)];
  const initials = [first.slice(0, 1) + last, last + first.slice(0, 1), first + last.slice(0, 1)];
  return [lettersOf(email), lettersOf(localPart), first, last, first + last, last + first, ...initials].filter(
    (name) => name.length > 1,
  );
}

/** Without accents too: 'José' is guessed by 'jose'. */
function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '');
}

function withoutSigns(text: string): string {
  return text.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '');
}
