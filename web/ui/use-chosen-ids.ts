import { useState } from 'react';
import type { Selection } from './table-selection.tsx';

/**
 * The rows that a person has chosen in a list, by id. A chosen row stays chosen under other filters and on other pages
 * until it is cleared, so an act is always upon the rows that were chosen, and upon no other.
 */
export function useChosenIds() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    choose: (rows: readonly { id: string }[], isChosen: boolean) => setIds(withRows(ids, rows, isChosen)),
    chooseOnly: (chosen: readonly string[]) => setIds(new Set(chosen)),
    clear: () => setIds(new Set()),
  };
}

export type ChosenIds = ReturnType<typeof useChosenIds>;

/** The same for a table with boxes. */
export function selectionOf<Row extends { id: string }>(
  chosen: ChosenIds,
  table: Pick<Selection<Row>, 'nameOf' | 'canChoose'>,
): Selection<Row> {
  return { ...table, isChosen: ({ id }) => chosen.ids.has(id), onChoose: chosen.choose, hasAll: true };
}

function withRows(ids: ReadonlySet<string>, rows: readonly { id: string }[], isChosen: boolean): ReadonlySet<string> {
  const changed = new Set(ids);
  for (const { id } of rows) {
    if (isChosen) changed.add(id);
    else changed.delete(id);
  }
  return changed;
}
