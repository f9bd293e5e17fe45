import { Box, Table, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import classes from './DataTable.module.css';
import { AllBox, RowBox, type Selection } from './table-selection.tsx';
import { useDensity } from './use-density.ts';
import { type PartOfList, partsOf, usePartInSight } from './use-part-in-sight.ts';
import { useRowKeys } from './use-row-keys.ts';

export interface Column<Row, Order extends string = string> {
  key: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** Aligns numbers to the right, in tabular figures. */
  isNumber?: boolean;
  width?: number | string;
  /** The orders that the column's header asks for, in turn. */
  orders?: readonly ColumnOrder<Order>[];
  /**
   * Where the cell stands in the row of a phone, which has two lines. If no column says this, each row is a card there.
   * If some do, the cells of the others do not show.
   */
  onPhone?: PlaceOnPhone;
  /** Replaces the cell in the row of a phone, where it has less room. */
  cellOnPhone?: (row: Row) => ReactNode;
}

/**
 * 'secondRest' has what the others leave of the second line, and ends in dots there. 'below' has lines of its own, if
 * it has anything.
 */
type PlaceOnPhone = 'first' | 'firstEnd' | 'second' | 'secondRest' | 'secondEnd' | 'below';

interface ColumnOrder<Order> {
  order: Order;
  direction: 'ascending' | 'descending';
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
  /**
   * For rows of at most two lines. The columns keep their widths, and what is longer ends in dots. In a frame that is
   * narrower than this, in pixels, the table scrolls.
   */
  minWidth?: number;
  /** The rows that are cards on a phone even if the others have two lines there, as fields need. */
  isCard?: (row: Row) => boolean;
}

/** As in the style sheet. */
const phone = '(max-width: 640px)';

/** The height of a row until one is in the page: two lines and their spacing. */
const usualRowHeight = 52;

/**
 * A table that scrolls inside its own frame, never the page. If it fits its frame, its head stays in sight. Below 640 px
 * each row becomes a card, or two lines. A long table keeps only the rows near the visible ones in the page.
 */
export function DataTable<Row, Order extends string = string>({
  label,
  columns,
  rows,
  keyOf,
  selection,
  order,
  onOrder,
  minWidth,
  isCard,
}: DataTableProps<Row, Order>) {
  const isPhone = useMediaQuery(phone, false, { getInitialValueInEffect: false });
  const frame = useRef<HTMLDivElement>(null);
  const isTooWide = useIsTooWide(frame);
  useRowKeys(frame);
  const [density] = useDensity();
  const shown = selection ? [selectionColumn<Row, Order>(selection, columns), ...columns] : columns;
  const parts = partsOf(rows, shown.length);
  const hasGaps = parts.some(({ isWatched }) => isWatched);
  const rowHeight = useRowHeight(frame, hasGaps ? `${isPhone} ${density}` : null);
  return (
    <Box
      ref={frame}
      className={classes.frame}
      data-scrolls={isTooWide || undefined}
      data-density={density}
      data-lines={minWidth === undefined ? undefined : 'two'}
      data-phone={columns.some(({ onPhone }) => onPhone) ? 'two' : 'cards'}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Table
        verticalSpacing={density === 'comfortable' ? 'sm' : minWidth === undefined ? 6 : 4}
        horizontalSpacing={minWidth === undefined ? 'md' : 'sm'}
        style={minWidth === undefined ? undefined : { '--least-width': `${minWidth}px` }}
        className={classes.table}
        aria-rowcount={parts[0]?.isWatched ? rows.length + 1 : undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {shown.map((column) =>
              column.key === chosenKey ? (
                // Heads no cells of facts, so it is no header of a column.
                <Table.Td key={column.key} w={column.width}>
                  {selection?.hasAll ? <AllBox selection={selection} rows={rows} /> : column.label}
                </Table.Td>
              ) : (
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
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        {parts.map((part) => (
          <Part
            key={part.start}
            part={part}
            columns={shown}
            keyOf={keyOf}
            isCard={isCard}
            isPhone={isPhone}
            rowHeight={rowHeight}
          />
        ))}
      </Table>
    </Box>
  );
}

const chosenKey = 'chosen';

function selectionColumn<Row, Order extends string>(
  selection: Selection<Row>,
  columns: Column<Row, Order>[],
): Column<Row, Order> {
  const isInLines = columns.some(({ onPhone }) => onPhone);
  return {
    key: chosenKey,
    label: 'Select',
    width: selection.hasAll ? 42 : 78,
    ...(isInLines ? { onPhone: 'first' } : {}),
    cell: (row) => <RowBox selection={selection} row={row} />,
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

/**
 * The height of the rows in the page, on average. The rows that are not there yet leave a gap of it. It is measured again
 * only if the way in which rows are drawn changes, because the gaps above the visible rows change with it. A list that is
 * whole in the page has no gaps, and is drawn as null.
 */
function useRowHeight(frame: RefObject<HTMLElement | null>, drawnAs: string | null): number {
  const [height, setHeight] = useState(usualRowHeight);
  useLayoutEffect(() => {
    if (drawnAs === null) return;
    const rows = [...(frame.current?.querySelectorAll('tbody tr:not([aria-hidden])') ?? [])];
    const sum = rows.reduce((total, row) => total + row.getBoundingClientRect().height, 0);
    if (sum > 0) setHeight(sum / rows.length);
  }, [frame, drawnAs]);
  return height;
}

interface PartProps<Row, Order extends string> extends Pick<DataTableProps<Row, Order>, 'columns' | 'keyOf'> {
  part: PartOfList<Row>;
  isCard: ((row: Row) => boolean) | undefined;
  isPhone: boolean;
  rowHeight: number;
}

function Part<Row, Order extends string>({ part, columns, keyOf, isCard, isPhone, rowHeight }: PartProps<Row, Order>) {
  const hasPlaces = columns.some(({ onPhone }) => onPhone);
  const { part: body, gap } = usePartInSight<HTMLTableSectionElement>(part, rowHeight);
  return (
    <Table.Tbody ref={body}>
      {gap === null ? (
        part.rows.map((row, index) => (
          <Table.Tr
            key={keyOf(row)}
            aria-rowindex={part.isWatched ? part.start + index + 2 : undefined}
            data-phone={hasPlaces && !isCard?.(row) ? 'two' : undefined}
          >
            {columns.map((column) => (
              <Table.Td
                key={column.key}
                data-label={column.label}
                data-number={column.isNumber || undefined}
                data-box={column.key === chosenKey || undefined}
                data-place={column.onPhone}
              >
                {(isPhone && !isCard?.(row) && column.cellOnPhone ? column.cellOnPhone : column.cell)(row)}
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
