import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import type { DraftForm } from './use-form.ts';

interface RowEditOptions<Row, Draft extends object> {
  form: Pick<DraftForm<Draft>, 'idOf' | 'begin' | 'differsFrom' | 'showRefusal'>;
  draftOf: (row: Row) => Draft;
  firstField: keyof Draft;
  read: (id: string) => Promise<Row>;
}

/** The one row of a table that is in edit, and what somebody else has made of it meanwhile. */
export function useRowEdit<Row extends { id: string }, Draft extends object>({
  form,
  draftOf,
  firstField,
  read,
}: RowEditOptions<Row, Draft>) {
  /** The row as it was when the edit began. */
  const [base, setBase] = useState<Row | null>(null);
  /** The row as somebody else has changed it since. */
  const [theirs, setTheirs] = useState<Row | null>(null);
  const begin = (row: Row) => {
    setBase(row);
    setTheirs(null);
    form.begin(draftOf(row));
    focusAfterDrawing(form.idOf(firstField));
  };
  return {
    base,
    theirs,
    isDirty: base !== null && form.differsFrom(draftOf(base)),
    begin,
    end: () => {
      setBase(null);
      setTheirs(null);
      if (base) focusAfterDrawing(editButtonId(base.id));
    },
    showRefusal: (error: unknown) => {
      form.showRefusal(error);
      if (!base || !(error instanceof ApiError) || error.code !== 'stale') return;
      // If this read fails too, the next save is refused again, and reads again.
      void read(base.id).then(setTheirs, () => undefined);
    },
    keepOwn: () => {
      setBase(theirs);
      setTheirs(null);
    },
    takeTheirs: () => theirs && begin(theirs),
  };
}

export function editButtonId(rowId: string): string {
  return `edit-${rowId}`;
}

function focusAfterDrawing(elementId: string): void {
  requestAnimationFrame(() => document.getElementById(elementId)?.focus());
}
