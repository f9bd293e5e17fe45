import { useState } from 'react';
import type { StipendRow } from '#contract/stipends.ts';
import { criteriaLabels, criteriaNames } from './stipend-words.ts';

/** What the rows rested on when they were first seen on this page, against what they rest on now. */
export function useChangedFacts(rows: StipendRow[]): ReadonlyMap<string, string[]> {
  const [firstSeen] = useState(() => new Map<string, StipendRow>());
  for (const row of rows) if (!firstSeen.has(row.id)) firstSeen.set(row.id, row);
  return new Map(rows.map((row) => [row.id, changedFacts(firstSeen.get(row.id) ?? row, row)]));
}

function changedFacts(before: StipendRow, now: StipendRow): string[] {
  return criteriaNames
    .filter((name) => before.criteria[name].reason !== now.criteria[name].reason)
    .map((name) => `${criteriaLabels[name]} was "${before.criteria[name].reason}"`);
}
