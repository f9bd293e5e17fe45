import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack, BarStackHorizontal, LinePath } from '@visx/shape';
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import classes from './BarChart.module.css';
import { type ChartPart, type ChartRow, PartShape, PatternOver, sumOf } from './chart-looks.tsx';

export interface BarChartProps {
  /** Bars that go up are for weeks. Bars that go across have longer labels. */
  direction: 'up' | 'across';
  parts: ChartPart[];
  rows: ChartRow[];
  format: (value: number) => string;
  /** For a scale that is the same whatever the figures are, as 100 for percentages. */
  top?: number | undefined;
}

/** Only a picture. `ChartFigure` has the same figures in a table, for everybody who does not see or point. */
export function BarChart(props: BarChartProps) {
  const { ref, width, height } = useSize();
  return (
    <div ref={ref} className={classes.frame} aria-hidden>
      {width > 0 && height > 0 ? <Bars {...props} width={width} height={height} /> : null}
    </div>
  );
}

/** Mantine's hook has no size before the second frame, in which the legend would stand alone. */
function useSize() {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, ...size };
}

/** A bar is too thin for a finger, as touch-targets.css says whose they are. The table has the links too. */
const forFingers = '(pointer: coarse), (max-width: 47.99em)';

interface Sized extends BarChartProps {
  width: number;
  height: number;
}

function Bars(props: Sized) {
  const id = useId();
  const patternOf = (part: ChartPart) => `${id}${part.key}`;
  const isForFingers = useMediaQuery(forFingers, false, { getInitialValueInEffect: false });
  const rows = isForFingers ? props.rows.map(({ links: _, ...row }) => row) : props.rows;
  return (
    <svg width={props.width} height={props.height} className={classes.chart} aria-hidden>
      <defs>
        {props.parts.map((part) => (
          <PatternOver key={part.key} id={patternOf(part)} pattern={part.pattern} />
        ))}
      </defs>
      {props.direction === 'up' ? (
        <Upright {...props} rows={rows} patternOf={patternOf} />
      ) : (
        <Across {...props} rows={rows} patternOf={patternOf} />
      )}
    </svg>
  );
}

type Drawn = Sized & { patternOf: (part: ChartPart) => string };

const mostOfRow = 54;
const space = { top: 10, bottom: 22, right: 4, letter: 6.6 };

function Upright({ parts, rows, format, top, width, height, patternOf }: Drawn) {
  const y = scaleLinear({
    domain: [0, top ?? highest(rows, parts)],
    range: [height - space.bottom, space.top],
    nice: true,
  });
  const ticks = y.ticks(4);
  const left = 8 + space.letter * Math.max(...ticks.map((tick) => format(tick).length));
  const x = scaleBand({ domain: rows.map(({ key }) => key), range: [left, width - space.right], padding: 0.25 });
  const everyLabel = Math.ceil(20 / Math.max(1, x.step()));
  const lined = rows.filter(({ line }) => line !== undefined && line !== null);
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={left} x2={width - space.right} y1={y(tick)} y2={y(tick)} />
          <text className={classes.label} x={left - 6} y={y(tick)} dy="0.35em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {rows.map(({ key, label }, index) =>
        index % everyLabel === 0 ? (
          <text
            key={key}
            className={classes.label}
            x={(x(key) ?? 0) + x.bandwidth() / 2}
            y={height - 6}
            textAnchor="middle"
          >
            {label}
          </text>
        ) : null,
      )}
      <BarStack
        data={rows}
        keys={parts.map(({ key }) => key)}
        value={(row, key) => row.values[key] ?? 0}
        x={({ key }) => key}
        xScale={x}
        yScale={y}
        color={() => ''}
      >
        {(stacks) => stacks.flatMap(({ key, bars }) => bars.map((bar) => place(`${key} ${bar.index}`, key, bar)))}
      </BarStack>
      {lined.length > 0 ? (
        <LinePath
          className={classes.line}
          data={lined}
          x={({ key }) => (x(key) ?? 0) + x.bandwidth() / 2}
          y={({ line }) => y(line ?? 0)}
        />
      ) : null}
    </>
  );

  function place(key: string, partKey: string, bar: Bar) {
    return <Segment key={key} {...{ parts, rows, format, patternOf, partKey, bar }} />;
  }
}

function Across({ parts, rows, format, top, width, height, patternOf }: Drawn) {
  const totals = rows.map((row) => format(sumOf(row, parts)));
  const right = 10 + space.letter * Math.max(...totals.map(({ length }) => length));
  const x = scaleLinear({ domain: [0, top ?? highest(rows, parts)], range: [0, width - right] });
  const y = scaleBand({ domain: rows.map(({ key }) => key), range: [0, Math.min(height, mostOfRow * rows.length)] });
  const thick = Math.max(2, Math.min(22, y.bandwidth() - 28));
  return (
    <>
      {rows.map((row, index) => (
        <g key={row.key} transform={`translate(0 ${y(row.key) ?? 0})`}>
          <text className={classes.name} x={0} y={14}>
            {shortened(row.label, width)}
          </text>
          <text className={classes.label} x={x(sumOf(row, parts)) + 6} y={20 + thick / 2} dy="0.35em">
            {totals[index]}
          </text>
        </g>
      ))}
      <BarStackHorizontal
        data={rows}
        keys={parts.map(({ key }) => key)}
        value={(row, key) => row.values[key] ?? 0}
        y={({ key }) => key}
        xScale={x}
        yScale={y}
        color={() => ''}
      >
        {(stacks) =>
          stacks.flatMap(({ key, bars: ofPart }) =>
            ofPart.map((bar) => (
              <Segment
                key={`${key} ${bar.index}`}
                {...{ parts, rows, format, patternOf, partKey: key }}
                bar={{ ...bar, y: bar.y + 20, height: thick }}
              />
            )),
          )
        }
      </BarStackHorizontal>
    </>
  );
}

interface Bar {
  index: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface SegmentProps {
  parts: ChartPart[];
  rows: ChartRow[];
  format: (value: number) => string;
  patternOf: (part: ChartPart) => string;
  partKey: string;
  bar: Bar;
}

function Segment({ parts, rows, format, patternOf, partKey, bar }: SegmentProps) {
  const part = parts.find(({ key }) => key === partKey);
  const row = rows[bar.index];
  const value = row?.values[partKey] ?? 0;
  if (!part || !row || value === 0) return null;
  const { x, y, width, height } = bar;
  const place = { x, y, width, height };
  return (
    <Opening to={row.links?.[partKey]}>
      <title>{`${row.name}: ${part.label} ${format(value)}`}</title>
      {part.isRest ? <rect {...place} fill="transparent" /> : null}
      <PartShape part={part} patternId={patternOf(part)} {...place} />
    </Opening>
  );
}

/** A way for the pointer alone. Keys go by the table. */
function Opening({ to, children }: { to: string | undefined; children: ReactNode }) {
  const navigate = useNavigate();
  if (!to) return <g>{children}</g>;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (to.startsWith('#')) return;
    event.preventDefault();
    void navigate({ to });
  };
  return (
    <a href={to} tabIndex={-1} onClick={open} className={classes.opening}>
      {children}
    </a>
  );
}

function highest(rows: ChartRow[], parts: ChartPart[]): number {
  return Math.max(1, ...rows.map((row) => Math.max(sumOf(row, parts), row.line ?? 0)));
}

function shortened(label: string, width: number): string {
  const most = Math.floor(width / (space.letter + 0.6));
  return label.length > most ? `${label.slice(0, Math.max(1, most - 1))}…` : label;
}
