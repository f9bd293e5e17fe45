/** Returns groups of files that import each other in a cycle. */
export function findCycles(graph: ReadonlyMap<string, { imports: string[] }>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    lowest.set(file, index);
    open.push(file);
    for (const next of graph.get(file)?.imports ?? []) {
      if (!order.has(next)) lowest.set(file, Math.min(lowest.get(file) ?? index, visit(next)));
      else if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file) ?? index, order.get(next) ?? index));
    }
    if (lowest.get(file) === index) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) cycles.push(circle.toSorted());
    }
    return lowest.get(file) ?? index;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
