const small = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen',
  'eighteen nineteen',
]
  .join(' ')
  .split(' ');
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** 'one hundred thousand dollars'. People notice a zero too many in the words, and overlook it in the digits. */
export function dollarsInWords(cents: number): string {
  const [dollars, rest] = [Math.trunc(cents / 100), cents % 100];
  const words = `${inWords(dollars)} ${dollars === 1 ? 'dollar' : 'dollars'}`;
  return rest === 0 ? words : `${words} and ${inWords(rest)} ${rest === 1 ? 'cent' : 'cents'}`;
}

/** For numbers below 1,000,000,000. */
function inWords(number: number): string {
  if (number < 20) return small[number] ?? '';
  if (number < 100) return joined(tens[Math.trunc(number / 10)] ?? '', number % 10, '-');
  for (const [size, name] of [
    [1_000_000, 'million'],
    [1000, 'thousand'],
    [100, 'hundred'],
  ] as const) {
    if (number >= size) return joined(`${inWords(Math.trunc(number / size))} ${name}`, number % size, ' ');
  }
  return '';
}

function joined(words: string, rest: number, between: string): string {
  return rest === 0 ? words : `${words}${between}${inWords(rest)}`;
}
