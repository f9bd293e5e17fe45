import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChartColumn, Table2 } from 'lucide-react';
import { useId, useState } from 'react';
import { BarChart, type BarChartProps } from './BarChart.tsx';
import classes from './ChartFigure.module.css';
import { type ChartPart, type ChartRow, colorOf, PartShape, PatternOver, sumOf } from './chart-looks.tsx';

export interface ChartFigureProps extends BarChartProps {
  /** Names the table. */
  label: string;
  /** Heads the column of the rows' names. */
  rowHead: string;
  /** Heads the column of the line's figures, and names it beside the chart. */
  lineHead?: string;
  /** Heads a column of the sums of all parts. */
  totalHead?: string;
  /** Says what the chart leaves open. */
  note?: string | undefined;
  /** The note says what else the table has. */
  isNoteAll?: boolean;
  /** The chart shows the first of more rows. The table has all. */
  mostBars?: number;
  /** In pixels, if something else shares the place. Otherwise the chart fills it. */
  height?: number;
  /** The height of the bars with their axis alone, in pixels, for charts that are compared side by side. */
  plotHeight?: number;
}

/**
 * A chart with its legend, and a table of the same figures in its place for who prefers words. Each figure of the table
 * opens the rows that it counts. Screen readers have the table at once. The figure fills the height that its place keeps
 * free, so nothing below it moves.
 */
export function ChartFigure({
  label,
  rowHead,
  lineHead,
  totalHead,
  note,
  isNoteAll = false,
  mostBars,
  height,
  plotHeight,
  ...chart
}: ChartFigureProps) {
  const [isTable, setTable] = useState(false);
  const { parts, rows, format } = chart;
  const drawn = mostBars === undefined ? rows : rows.slice(0, mostBars);
  const left = rows.length - drawn.length;
  const table = (hasLinks: boolean) => (
    <FigureTable {...{ label, rowHead, lineHead, totalHead, parts, rows, format, hasLinks }} />
  );
  return (
    <Box
      component="figure"
      m={0}
      className={classes.figure}
      data-table={isTable || undefined}
      data-plot={plotHeight === undefined ? undefined : true}
      __vars={{
        ...(height === undefined ? {} : { '--place-height': `${height}px` }),
        ...(plotHeight === undefined ? {} : { '--plot-height': `${plotHeight}px` }),
      }}
    >
      {isTable ? (
        <Box className={classes.frame} role="region" aria-label={`${label}, as a table`} tabIndex={0}>
          {table(true)}
        </Box>
      ) : (
        <>
          <Legend parts={parts} lineHead={lineHead} />
          <div className={classes.chart}>
            <BarChart {...chart} rows={drawn} />
          </div>
          <div className={classes.hidden}>{table(false)}</div>
        </>
      )}
      <Group justify="space-between" gap="xs" align="center">
        <Text size="sm" c="dimmed" component="figcaption">
          {[note, left > 0 && !isTable && !isNoteAll ? `${left} more in the table.` : null].filter(Boolean).join(' ')}
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.toggle}
          leftSection={isTable ? <ChartColumn size={15} aria-hidden /> : <Table2 size={15} aria-hidden />}
          onClick={() => setTable(!isTable)}
          aria-label={`${isTable ? 'Show as chart' : 'Show as table'}: ${label}`}
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </Group>
    </Box>
  );
}

function Legend({ parts, lineHead }: { parts: ChartPart[]; lineHead: string | undefined }) {
  const id = useId();
  return (
    <Group component="ul" gap="4px 14px" m={0} p={0} className={classes.legend} aria-hidden>
      {parts.map((part) => (
        <li key={part.key}>
          <svg width={14} height={14} aria-hidden>
            <PatternOver id={`${id}${part.key}`} pattern={part.pattern} />
            <PartShape part={part} patternId={`${id}${part.key}`} x={0} y={0} width={14} height={14} />
          </svg>
          {part.label}
        </li>
      ))}
      {lineHead ? (
        <li>
          <svg width={22} height={14} aria-hidden>
            <path d="M0 7H22" stroke="var(--mantine-color-text)" strokeWidth={2} strokeDasharray="5 3" />
          </svg>
          {lineHead}
        </li>
      ) : null}
    </Group>
  );
}

interface FigureTableProps {
  label: string;
  rowHead: string;
  lineHead: string | undefined;
  totalHead: string | undefined;
  parts: ChartPart[];
  rows: ChartRow[];
  format: (value: number) => string;
  hasLinks: boolean;
}

function FigureTable({ label, rowHead, lineHead, totalHead, parts, rows, format, hasLinks }: FigureTableProps) {
  return (
    <table aria-label={label} className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{rowHead}</th>
          {parts.map((part) => (
            <th key={part.key} scope="col" data-number style={{ borderBottomColor: colorOf(part.tone) }}>
              {part.label}
            </th>
          ))}
          {[totalHead, lineHead].map((head) =>
            head ? (
              <th key={head} scope="col" data-number>
                {head}
              </th>
            ) : null,
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.name}</th>
            {parts.map((part) => (
              <td key={part.key} data-number>
                <Figure row={row} part={part} format={format} hasLink={hasLinks} />
              </td>
            ))}
            {totalHead ? <td data-number>{format(sumOf(row, parts))}</td> : null}
            {lineHead ? <td data-number>{typeof row.line === 'number' ? format(row.line) : '–'}</td> : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FigureProps {
  row: ChartRow;
  part: ChartPart;
  format: (value: number) => string;
  hasLink: boolean;
}

function Figure({ row, part, format, hasLink }: FigureProps) {
  const value = row.values[part.key];
  if (value === undefined) return '–';
  const to = row.links?.[part.key];
  if (!hasLink || !to || value === 0) return format(value);
  const looks = {
    size: 'sm',
    py: 4,
    underline: 'always',
    'aria-label': `${row.name}: ${part.label} ${format(value)}`,
  } as const;
  return to.startsWith('#') ? (
    <Anchor {...looks} href={to}>
      {format(value)}
    </Anchor>
  ) : (
    <Anchor {...looks} component={Link} to={to}>
      {format(value)}
    </Anchor>
  );
}
