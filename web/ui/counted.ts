import { mostCounted } from '#contract/matching.ts';

/** '1 person', '1,000 people' */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** The matches of a list, as its endpoint counts them: '1,000+ people' for any number above that. */
export function countedMatches(matching: number, one: string, many = `${one}s`): string {
  if (matching <= mostCounted) return counted(matching, one, many);
  return `${mostCounted.toLocaleString('en-US')}+ ${many}`;
}
