import type { Tone } from './StatusBadge.tsx';

/** One color each is not enough to tell parts apart, so each has a pattern too. */
export type Pattern = 'plain' | 'stripes' | 'dots' | 'lines' | 'hollow';

/** A part of every bar, or the line across them. */
export interface ChartPart {
  key: string;
  label: string;
  tone: Tone;
  pattern: Pattern;
  /** What a bar could have been and is not. It is drawn thin, so that nobody adds it to what the bar is. */
  isRest?: boolean;
}

export interface ChartRow {
  key: string;
  /** Stands at the bar. */
  label: string;
  /** The same in full, for the table and for who points at the bar. */
  name: string;
  /** By the keys of the parts. A part that is absent here counts as nothing. */
  values: Record<string, number>;
  /** The addresses of the rows that each part counts. */
  links?: Record<string, string | undefined>;
  /** The height of the line at this bar. */
  line?: number | null;
}

const colors: Record<Tone, string> = {
  success: 'var(--meter-success)',
  warning: 'var(--meter-warning)',
  danger: 'var(--status-danger)',
  info: 'var(--meter-info)',
  neutral: 'var(--mantine-color-dimmed)',
};

/** The color of a card, on which charts lie. */
const ground = 'light-dark(var(--mantine-color-white), var(--mantine-color-dark-6))';

export function sumOf(row: ChartRow, parts: ChartPart[]): number {
  return parts.reduce((sum, { key }) => sum + (row.values[key] ?? 0), 0);
}

export function colorOf(tone: Tone): string {
  return colors[tone];
}

/** What lies over the color. It has the color of the ground, so that it fits both schemes. */
export function PatternOver({ id, pattern }: { id: string; pattern: Pattern }) {
  return (
    <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse">
      {pattern === 'stripes' ? <path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5" stroke={ground} strokeWidth={1.6} /> : null}
      {pattern === 'dots' ? <circle cx={3} cy={3} r={1.5} fill={ground} /> : null}
      {pattern === 'lines' ? <path d="M0 3H6" stroke={ground} strokeWidth={2} /> : null}
    </pattern>
  );
}

/** Narrower, the pattern would not show. */
const thinnest = 6;
const shareOfRest = 0.3;

interface PartShapeProps {
  part: ChartPart;
  patternId: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export function PartShape({ part, patternId, y, height, ...whole }: PartShapeProps) {
  const { tone, pattern, isRest } = part;
  const width = isRest ? Math.max(thinnest, whole.width * shareOfRest) : whole.width;
  const x = whole.x + (whole.width - width) / 2;
  const color = colorOf(tone);
  if (pattern === 'hollow') {
    const inside = { x: x + 0.75, y: y + 0.75, width: Math.max(0, width - 1.5), height: Math.max(0, height - 1.5) };
    return <rect {...inside} fill={ground} stroke={color} strokeWidth={1.5} />;
  }
  return (
    <>
      <rect x={x} y={y} width={width} height={height} fill={color} />
      {pattern === 'plain' ? null : <rect x={x} y={y} width={width} height={height} fill={`url(#${patternId})`} />}
    </>
  );
}
