import type { ActivityFilters, ActivitySelection, TrainingActivity } from '#contract/training-activities.ts';

/** The choice for an assignment: single activities, or all that match the filters, minus some (TRAIN-07). */
export type ActivityChoice =
  | { kind: 'some'; rows: ReadonlyMap<string, TrainingActivity> }
  | { kind: 'all'; filters: ActivityFilters; except: ReadonlySet<string> };

export const nothingChosen: ActivityChoice = { kind: 'some', rows: new Map() };

export function allUnder(filters: ActivityFilters): ActivityChoice {
  return { kind: 'all', filters, except: new Set() };
}

export function isChosen(choice: ActivityChoice, id: string): boolean {
  return choice.kind === 'some' ? choice.rows.has(id) : !choice.except.has(id);
}

/** `matching` is the number of activities that match the filters now. */
export function countOf(choice: ActivityChoice, matching: number): number {
  return choice.kind === 'some' ? choice.rows.size : Math.max(0, matching - choice.except.size);
}

export function toggled(choice: ActivityChoice, row: TrainingActivity): ActivityChoice {
  if (choice.kind === 'all') {
    const except = new Set(choice.except);
    if (!except.delete(row.id)) except.add(row.id);
    return { ...choice, except };
  }
  const rows = new Map(choice.rows);
  if (!rows.delete(row.id)) rows.set(row.id, row);
  return { kind: 'some', rows };
}

export function selectionOf(choice: ActivityChoice): ActivitySelection {
  return choice.kind === 'some'
    ? { ids: [...choice.rows.keys()] }
    : { filters: choice.filters, except: [...choice.except] };
}

/** A choice of all means the activities that the filters showed. It ends under other filters. */
export function underFilters(choice: ActivityChoice, filters: ActivityFilters): ActivityChoice {
  const isSame = choice.kind === 'some' || JSON.stringify(choice.filters) === JSON.stringify(filters);
  return isSame ? choice : nothingChosen;
}
