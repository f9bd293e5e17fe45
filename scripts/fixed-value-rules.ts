export interface SpecifiedValues {
  weeks: number;
  limits: number[];
  cents: number;
  zone: string;
  moduleNames: readonly string[];
}

/**
 * What a source file says by itself that a program says: its length, its zone, its limits, its pay, its modules. Numbers
 * count where a name beside them says what they are, or where a sentence does.
 */
export function findFixedValues(source: string, specified: SpecifiedValues): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
  const limits = specified.limits.map(writtenNumber).join('|');
  const kinds: [what: string, where: RegExp][] = [
    ['its zone', new RegExp(escaped(specified.zone), 'g')],
    ['one of its modules', new RegExp(`['"\`](${specified.moduleNames.map(escaped).join('|')})['"\`]`, 'g')],
    ['its length', new RegExp(`\\b\\w*weeks?\\w*\\s*(=|:|<=?|>=?|===)\\s*${specified.weeks}\\b`, 'gi')],
    ['its length', new RegExp(`\\b${specified.weeks} weeks\\b`, 'gi')],
    [
      'its pay',
      new RegExp(
        `\\b${writtenNumber(specified.cents)}\\b(?=.*cents)|cents.*\\b${writtenNumber(specified.cents)}\\b`,
        'gi',
      ),
    ],
    ['its pay', new RegExp(`\\$${specified.cents / 100}\\b(?!,)`, 'g')],
    [
      'one of its limits',
      new RegExp(`\\b\\w*(share|attendance|limit|rating)\\w*\\s*(=|:|<=?|>=?|===)\\s*(${limits})\\b`, 'gi'),
    ],
    [
      'one of its limits',
      new RegExp(`\\b(${specified.limits.join('|')})(\\.0)? ?%|rating of (at least )?(${limits})\\b`, 'gi'),
    ],
  ];
  return kinds.flatMap(([what, where]) => [...code.matchAll(where)].map(([text]) => `${what}, "${text.trim()}",`));
}

function writtenNumber(value: number): string {
  const digits = String(value);
  return value >= 1000 ? `${digits.slice(0, -3)}[_,]?${digits.slice(-3)}` : `${digits}(?:\\.0)?`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
