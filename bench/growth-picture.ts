import { type Cost, fitGrowth, type Growth, slopeInDigits } from './growth-fit.ts';

export interface GrowthOf {
  name: string;
  costs: Cost[];
}

const columns = 3;
const panel = { width: 300, height: 190 };
/** The room of the plot in its panel. */
const inside = { left: 44, right: 14, top: 50, bottom: 30 };
const head = 64;
const edge = 16;

/** Both are taken from what the browser or the reader's system prefers, also where the picture stands in a page. */
const style = `
    svg { font-family: system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; }
    .ground { fill: #ffffff; } .name, .value { fill: #17212b; } .note { fill: #4a5866; } .grid { stroke: #dde3e9; }
    .line { stroke: #1762b8; } .point { fill: #1762b8; }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #12181f; } .name, .value { fill: #eef3f8; } .note { fill: #aab8c6; } .grid { stroke: #2c3845; }
      .line { stroke: #72b4ff; } .point { fill: #72b4ff; }
    }`;

/** A small plot for each, all with the same two logarithmic axes. */
export function drawGrowth(title: string, all: GrowthOf[]): string {
  const costs = all.flatMap((one) => one.costs);
  const across = tensAround(costs.map(({ people }) => people));
  const up = tensAround(costs.map(({ cost }) => cost));
  const rows = Math.ceil(all.length / columns);
  const [width, height] = [columns * panel.width + 2 * edge, head + rows * panel.height + edge];
  const panels = all.map((one, place) => {
    const [x, y] = [edge + (place % columns) * panel.width, head + Math.floor(place / columns) * panel.height];
    return `  <g transform="translate(${x} ${y})">\n${drawPanel(one, across, up)}\n  </g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
  <title id="title">${escaped(title)}</title>
  <desc id="description">${escaped(all.map(sayOne).join(' '))}</desc>
  <style>${style}
  </style>
  <rect class="ground" width="${width}" height="${height}"/>
  <text class="name" x="${edge}" y="28" font-size="18" font-weight="600">${escaped(title)}</text>
  <text class="note" x="${edge}" y="50" font-size="13">Processor milliseconds of one request, server and database. Both axes are logarithmic.</text>
${panels.join('\n')}
</svg>
`;
}

type Axis = number[];

function drawPanel({ name, costs }: GrowthOf, across: Axis, up: Axis): string {
  const [right, bottom] = [panel.width - inside.right, panel.height - inside.bottom];
  const x = (people: number) => round(between(across, people, inside.left, right));
  const y = (cost: number) => round(between(up, cost, bottom, inside.top));
  const growth = fitGrowth(costs);
  const [first = 0, last = 0] = [Math.min(...costs.map(of)), Math.max(...costs.map(of))];
  return [
    `<text class="name" x="${inside.left}" y="20" font-size="14" font-weight="600">${escaped(name)}</text>`,
    `<text class="value" x="${inside.left}" y="38" font-size="13">${growth ? saySlope(growth) : 'one size alone has no slope'}</text>`,
    ...across.map((ten) => gridLine(x(ten), inside.top, x(ten), bottom)),
    ...up.map((ten) => gridLine(inside.left, y(ten), right, y(ten))),
    ...across.map((ten) => label(x(ten), bottom + 16, 'middle', short(ten))),
    ...up.map((ten) => label(inside.left - 6, y(ten) + 4, 'end', short(ten))),
    ...(growth
      ? [
          `<line class="line" stroke-width="2" x1="${x(first)}" y1="${y(growth.costAt(first))}" x2="${x(last)}" y2="${y(growth.costAt(last))}"/>`,
        ]
      : []),
    ...costs.map(({ people, cost }) => `<circle class="point" r="4" cx="${x(people)}" cy="${y(cost)}"/>`),
  ]
    .map((line) => `    ${line}`)
    .join('\n');
}

function of({ people }: Cost): number {
  return people;
}

function saySlope(growth: Growth): string {
  return `slope ${slopeInDigits(growth)} (× ${(10 ** growth.slope).toFixed(1)} for × 10 people)`;
}

function sayOne({ name, costs }: GrowthOf): string {
  const growth = fitGrowth(costs);
  const figures = costs.map(({ people, cost }) => `${cost.toFixed(1)} ms at ${people.toLocaleString('en-US')} people`);
  return `${name}: ${figures.join(', ')}${growth ? `, ${saySlope(growth)}` : ''}.`;
}

/** The powers of ten from below the least to above the most. There are always two, so that an axis has a length. */
function tensAround(values: number[]): Axis {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  const least = Math.floor(Math.min(...logs));
  const most = Math.max(Math.ceil(Math.max(...logs)), least + 1);
  return Array.from({ length: most - least + 1 }, (_, place) => 10 ** (least + place));
}

function between(axis: Axis, value: number, from: number, to: number): number {
  const [least, most] = [Math.log10(axis[0] ?? 1), Math.log10(axis.at(-1) ?? 10)];
  return from + ((Math.log10(value) - least) / (most - least)) * (to - from);
}

function gridLine(x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="grid" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

function label(x: number, y: number, anchor: string, text: string): string {
  return `<text class="note" x="${x}" y="${y}" font-size="11" text-anchor="${anchor}">${text}</text>`;
}

function short(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
