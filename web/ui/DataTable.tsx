import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DataTable.module.css';
import { type PartOfList, partsOf, usePartInSight } from './use-part-in-sight.ts';

export interface Column<Row> {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** Aligns numbers to the right, in tabular figures. */
  isNumber?: boolean;
  width?: number | string;
}

interface DataTableProps<Row> {
  /** Names the table's contents for people who cannot see it. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
}

/** The height of a row until it is measured: one line and its spacing. */
const rowHeightInPx = 60;

/**
 * A table that scrolls inside its own frame, never the page. Below 640 px each row becomes a card. A long table keeps
 * only the rows near the visible ones in the page.
 */
export function DataTable<Row>({ label, columns, rows, keyOf }: DataTableProps<Row>) {
  const parts = partsOf(rows);
  return (
    <Box className={classes.frame} tabIndex={0} role="region" aria-label={label}>
      <Table
        verticalSpacing="sm"
        horizontalSpacing="md"
        className={classes.table}
        aria-rowcount={parts[0]?.isWatched ? rows.length + 1 : undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} data-number={column.isNumber || undefined} w={column.width} scope="col">
                {column.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        {parts.map((part) => (
          <Part key={part.start} part={part} columns={columns} keyOf={keyOf} />
        ))}
      </Table>
    </Box>
  );
}

type PartProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'keyOf'> & { part: PartOfList<Row> };

function Part<Row>({ part, columns, keyOf }: PartProps<Row>) {
  const { part: body, gap } = usePartInSight<HTMLTableSectionElement>(part, rowHeightInPx);
  return (
    <Table.Tbody ref={body}>
      {gap === null ? (
        part.rows.map((row, index) => (
          <Table.Tr key={keyOf(row)} aria-rowindex={part.isWatched ? part.start + index + 2 : undefined}>
            {columns.map((column) => (
              <Table.Td key={column.key} data-label={column.label} data-number={column.isNumber || undefined}>
                {column.cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))
      ) : (
        <tr aria-hidden className={classes.gap} style={{ height: gap }} />
      )}
    </Table.Tbody>
  );
}
