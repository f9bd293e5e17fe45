/** Numbers that follow from a seed alone (mulberry32). Each call of the returned function is the next, from 0 to below 1. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The item at a share of the list, from 0 to below 1. Undefined if the list is empty. */
export function itemAt<Item>(items: readonly Item[], share: number): Item | undefined {
  return items[Math.floor(share * items.length)];
}

/** Draws a key as often as its weight says. */
export function weighted<Key extends string>(weights: Record<Key, number>, share: number): Key {
  const entries = Object.entries(weights) as [Key, number][];
  let left = share * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [key, weight] of entries) {
    left -= weight;
    if (left < 0) return key;
  }
  throw new Error('There is nothing to draw from.');
}

export function shuffled<Item>(items: readonly Item[], next: () => number): Item[] {
  return items
    .map((item) => [next(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}
