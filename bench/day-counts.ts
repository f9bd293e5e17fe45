/** Answered requests by the name of their endpoint. */
export type Counts = Map<string, number>;

const sample = /^switchyard_requests_total\{endpoint="([^"]+)",status="\d+"\} (\d+)$/gm;

/** What /metrics counted until now. */
export function readCounts(metrics: string): Counts {
  const counts: Counts = new Map();
  for (const [, endpoint = '', count] of metrics.matchAll(sample)) {
    counts.set(endpoint, (counts.get(endpoint) ?? 0) + Number(count));
  }
  return counts;
}

export function countsSince(before: Counts, after: Counts): Counts {
  const changed = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return new Map(changed.filter(([, count]) => count > 0));
}

/** Adds up the counts of one person each, times the people who have such a day. */
export function addDays(all: { people: number; counts: Counts }[]): Counts {
  const sum: Counts = new Map();
  for (const { people, counts } of all) {
    for (const [name, count] of counts) sum.set(name, (sum.get(name) ?? 0) + people * count);
  }
  return sum;
}

/** The share of each, the largest first. */
export function sharesOf(counts: Counts): { name: string; count: number; share: number }[] {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .map(([name, count]) => ({ name, count, share: count / all }))
    .toSorted((left, right) => right.count - left.count || left.name.localeCompare(right.name));
}
