export interface Cost {
  people: number;
  /** Processor milliseconds of one request, or whatever else is not negative. */
  cost: number;
}

export interface Growth {
  /** The exponent: the cost grows as the number of people to this power. 0 is flat, 1 is in step with the people. */
  slope: number;
  /** What the fitted line says for so many people. */
  costAt(people: number): number;
}

/** Fits a straight line through the logarithms of both, by least squares. Null if there are fewer than two sizes. */
export function fitGrowth(costs: Cost[]): Growth | null {
  const points = costs.filter(({ people, cost }) => people > 0 && cost > 0);
  if (new Set(points.map(({ people }) => people)).size < 2) return null;
  const middleOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const xs = points.map(({ people }) => Math.log(people));
  const ys = points.map(({ cost }) => Math.log(cost));
  const [x0, y0] = [middleOf(xs), middleOf(ys)];
  const slope =
    xs.reduce((sum, x, place) => sum + (x - x0) * ((ys[place] ?? y0) - y0), 0) /
    xs.reduce((sum, x) => sum + (x - x0) ** 2, 0);
  return { slope, costAt: (people) => Math.exp(y0 + slope * (Math.log(people) - x0)) };
}

/** A flat line has no sign. */
export function slopeInDigits({ slope }: Growth): string {
  return slope.toFixed(2).replace('-0.00', '0.00');
}

/** What ten times the people cost, in words. */
export function sayGrowth(growth: Growth): string {
  return `slope ${slopeInDigits(growth)}: ${(10 ** growth.slope).toFixed(2)} times the cost for ten times the people`;
}
