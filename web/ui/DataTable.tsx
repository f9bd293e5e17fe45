import { Box, Checkbox, Table, UnstyledButton } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import classes from './DataTable.module.css';
import { type PartOfList, partsOf, usePartInSight } from './use-part-in-sight.ts';

export interface Column<Row, Order extends string = string> {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** Aligns numbers to the right, in tabular figures. */
  isNumber?: boolean;
  width?: number | string;
  /** The orders that the column's header asks for, in turn. */
  orders?: readonly ColumnOrder<Order>[];
}

interface ColumnOrder<Order> {
  order: Order;
  direction: 'ascending' | 'descending';
}

/** The rows that a person chooses for an act upon all of them. */
export interface Selection<Row> {
  isChosen: (row: Row) => boolean;
  onChoose: (rows: Row[], isChosen: boolean) => void;
  /** Names a row for people who cannot see it. */
  nameOf: (row: Row) => string;
}

interface DataTableProps<Row, Order extends string> {
  /** Names the table's contents for people who cannot see it. */
  label: string;
  columns: Column<Row, Order>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  selection?: Selection<Row>;
  order?: Order;
  onOrder?: (order: Order) => void;
}

/** The height of a row until it is measured: one line and its spacing. */
const rowHeightInPx = 60;

/**
 * A table that scrolls inside its own frame, never the page. If it fits its frame, its head stays in sight. Below 640 px
 * each row becomes a card. A long table keeps only the rows near the visible ones in the page.
 */
export function DataTable<Row, Order extends string = string>({
  label,
  columns,
  rows,
  keyOf,
  selection,
  order,
  onOrder,
}: DataTableProps<Row, Order>) {
  const frame = useRef<HTMLDivElement>(null);
  const isTooWide = useIsTooWide(frame);
  const parts = partsOf(rows);
  const shown = selection ? [selectionColumn<Row, Order>(selection), ...columns] : columns;
  return (
    <Box
      ref={frame}
      className={classes.frame}
      data-scrolls={isTooWide || undefined}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Table
        verticalSpacing="sm"
        horizontalSpacing="md"
        className={classes.table}
        aria-rowcount={parts[0]?.isWatched ? rows.length + 1 : undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {shown.map((column) => (
              <Table.Th
                key={column.key}
                data-number={column.isNumber || undefined}
                w={column.width}
                scope="col"
                aria-sort={directionOf(column, order)}
              >
                {column.label}
                {onOrder && column.orders ? <OrderButton column={column} order={order} onOrder={onOrder} /> : null}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        {parts.map((part) => (
          <Part key={part.start} part={part} columns={shown} keyOf={keyOf} />
        ))}
      </Table>
    </Box>
  );
}

function selectionColumn<Row, Order extends string>(selection: Selection<Row>): Column<Row, Order> {
  const { isChosen, onChoose, nameOf } = selection;
  return {
    key: 'chosen',
    label: 'Select',
    width: 60,
    cell: (row) => (
      <Checkbox
        aria-label={`Select ${nameOf(row)}`}
        checked={isChosen(row)}
        onChange={({ currentTarget }) => onChoose([row], currentTarget.checked)}
      />
    ),
  };
}

const arrows = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

interface OrderButtonProps<Row, Order extends string> {
  column: Column<Row, Order>;
  order: Order | undefined;
  onOrder: (order: Order) => void;
}

/** Asks for the order after the present one. It covers the whole head of its column. */
function OrderButton<Row, Order extends string>({ column, order, onOrder }: OrderButtonProps<Row, Order>) {
  const { label, orders = [] } = column;
  const next = orders[(orders.findIndex((each) => each.order === order) + 1) % orders.length];
  const Arrow = arrows[directionOf(column, order) ?? 'none'];
  return (
    <UnstyledButton
      className={classes.order}
      aria-label={`Sort by ${label}`}
      onClick={() => next && onOrder(next.order)}
    >
      <Arrow size={14} aria-hidden />
    </UnstyledButton>
  );
}

/** Undefined if the list cannot be put in order by this column. */
function directionOf<Row, Order extends string>({ orders }: Column<Row, Order>, order: Order | undefined) {
  return orders && (orders.find((each) => each.order === order)?.direction ?? 'none');
}

/** A frame that scrolls keeps the head from staying in sight of the page, so only a table that is too wide scrolls. */
function useIsTooWide(frame: RefObject<HTMLElement | null>): boolean {
  const [isTooWide, setTooWide] = useState(false);
  useEffect(() => {
    const element = frame.current;
    const table = element?.firstElementChild;
    if (!element || !table) return;
    const observer = new ResizeObserver(() => setTooWide(table.scrollWidth > element.clientWidth));
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, [frame]);
  return isTooWide;
}

type PartProps<Row, Order extends string> = Pick<DataTableProps<Row, Order>, 'columns' | 'keyOf'> & {
  part: PartOfList<Row>;
};

function Part<Row, Order extends string>({ part, columns, keyOf }: PartProps<Row, Order>) {
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
