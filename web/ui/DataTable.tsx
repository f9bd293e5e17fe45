import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DataTable.module.css';

export interface Column<Row> {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand right, in tabular figures. */
  isNumber?: boolean;
  width?: number | string;
}

interface DataTableProps<Row> {
  /** What the table lists, for those who can't see it. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
}

/** A table that scrolls inside its own frame, never the page; below 640 px each row becomes a card. */
export function DataTable<Row>({ label, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <Box className={classes.frame} tabIndex={0} role="region" aria-label={label}>
      <Table verticalSpacing="sm" horizontalSpacing="md" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} data-number={column.isNumber || undefined} w={column.width} scope="col">
                {column.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((column) => (
                <Table.Td key={column.key} data-label={column.label} data-number={column.isNumber || undefined}>
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
