import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { markStipendPaid, takePaymentBack } from '#contract/payments.ts';
import { approveStipends, denyStipends } from '#contract/stipend-sets.ts';
import { approveStipend, approveWeek, denyStipend, type StipendRow } from '#contract/stipends.ts';

interface ShownList {
  rows: StipendRow[];
  /** The filters of the list. Other filters begin a new comparison. */
  filters: string;
  /**
   * False while rows of other filters, or only some of the pages, are shown. A missing row may then be further down.
   */
  isWhole: boolean;
}

/** Rows that have left this list although this admin did nothing to take them out. */
export function useGoneRows({ rows, filters, isWhole }: ShownList): StipendRow[] {
  const client = useQueryClient();
  const [seen] = useState(() => ({ filters, rows: new Map<string, StipendRow>() }));
  if (!isWhole) return [];
  if (seen.filters !== filters) {
    seen.filters = filters;
    seen.rows.clear();
  }
  const present = new Set(rows.map(({ id }) => id));
  for (const [id, row] of seen.rows) if (!present.has(id) && isTakenOut(client, row)) seen.rows.delete(id);
  for (const row of rows) seen.rows.set(row.id, row);
  return [...seen.rows.values()].filter(({ id }) => !present.has(id));
}

const namesShown = 5;

export function goneInWords(gone: StipendRow[]): string {
  if (gone.length === 0) return '';
  const names = gone.slice(0, namesShown).map(({ participantName }) => participantName);
  const more = gone.length > namesShown ? [`${gone.length - namesShown} more`] : [];
  const rows = gone.length === 1 ? '1 row you saw is' : `${gone.length.toLocaleString('en-US')} rows you saw are`;
  return `${rows} no longer in this list: ${[...names, ...more].join(', ')}`;
}

/** True if a decision of this admin, made or under way, moves the row to another status. */
function isTakenOut(client: QueryClient, row: StipendRow): boolean {
  return client
    .getMutationCache()
    .findAll({ predicate: ({ state }) => state.status !== 'error' })
    .some(({ options, state }) => {
      const name = options.mutationKey?.[0];
      if (name === approveWeek.name) return isOfBulk(state, row);
      if (name === approveStipends.name || name === denyStipends.name) return isOfSet(state, row);
      if (!decisions.includes(name)) return false;
      const { params } = state.variables as { params: { id: string } };
      // After a first approval a second admin decides, and the row stays where it is.
      const reply = state.data as StipendRow | undefined;
      return params.id === row.id && reply?.paymentStatus !== row.paymentStatus;
    });
}

const decisions: unknown[] = [approveStipend, denyStipend, markStipendPaid, takePaymentBack].map(({ name }) => name);

function isOfBulk({ variables, data }: { variables: unknown; data: unknown }, row: StipendRow): boolean {
  const { body } = variables as { body: { seen: { versions: string } } };
  const reply = data as { approved: number } | undefined;
  return reply?.approved !== 0 && body.seen.versions.split(',').includes(`${row.id.slice(-12)}.${row.version}`);
}

function isOfSet({ variables, data }: { variables: unknown; data: unknown }, { id }: StipendRow): boolean {
  const { body } = variables as { body: { rows: { id: string }[] } };
  const reply = data as { refused: { id: string }[] } | undefined;
  return body.rows.some((row) => row.id === id) && !reply?.refused.some((row) => row.id === id);
}
