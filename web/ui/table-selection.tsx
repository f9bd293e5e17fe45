import classes from './table-selection.module.css';

/** The rows that a person chooses for an act upon all of them. */
export interface Selection<Row> {
  isChosen: (row: Row) => boolean;
  onChoose: (rows: Row[], isChosen: boolean) => void;
  /** Names a row for people who cannot see it. */
  nameOf: (row: Row) => string;
  /** Rows for which no act is open have no box. Without this, every row has one. */
  canChoose?: (row: Row) => boolean;
  /** The head has a box for all rows shown. */
  hasAll?: boolean;
}

interface RowBoxProps<Row> {
  selection: Selection<Row>;
  row: Row;
}

export function RowBox<Row>({ selection, row }: RowBoxProps<Row>) {
  if (selection.canChoose?.(row) === false) return null;
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label={`Select ${selection.nameOf(row)}`}
      checked={selection.isChosen(row)}
      onChange={({ currentTarget }) => selection.onChoose([row], currentTarget.checked)}
    />
  );
}

/** Chooses all rows shown, or none of them. */
export function AllBox<Row>({ selection, rows }: { selection: Selection<Row>; rows: Row[] }) {
  const open = rows.filter((row) => selection.canChoose?.(row) !== false);
  const chosen = open.filter(selection.isChosen).length;
  const isAll = open.length > 0 && chosen === open.length;
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label="Select all rows shown"
      disabled={open.length === 0}
      ref={(box) => {
        if (box) box.indeterminate = chosen > 0 && !isAll;
      }}
      checked={isAll}
      onChange={() => selection.onChoose(open, !isAll)}
    />
  );
}
