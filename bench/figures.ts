export function median(values: number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** Aligns the columns of a table. The first one holds names, the others figures. */
export function alignColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
