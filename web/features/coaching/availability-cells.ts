import type { AvailabilityRange } from '#contract/booking-setup.ts';

/** A half hour of a week: 48 a day from midnight, Sunday first. */
export type Cell = number;

export const cellsADay = 48;
export const daysPerWeek = 7;

export function cellAt(dayOfWeek: number, halfHour: number): Cell {
  return dayOfWeek * cellsADay + halfHour;
}

/** A half hour that a range covers in part counts as a whole. */
export function cellsOf(ranges: AvailabilityRange[]): Set<Cell> {
  const cells = new Set<Cell>();
  for (const { dayOfWeek, startTime, endTime } of ranges) {
    const end = Math.ceil(halfHoursAt(endTime));
    for (let halfHour = Math.floor(halfHoursAt(startTime)); halfHour < end; halfHour += 1) {
      cells.add(cellAt(dayOfWeek, halfHour));
    }
  }
  return cells;
}

/** The fewest ranges that cover the cells. None goes past midnight. */
export function rangesOf(cells: ReadonlySet<Cell>): AvailabilityRange[] {
  const ranges: AvailabilityRange[] = [];
  for (let dayOfWeek = 0; dayOfWeek < daysPerWeek; dayOfWeek += 1) {
    for (let halfHour = 0; halfHour < cellsADay; halfHour += 1) {
      if (!cells.has(cellAt(dayOfWeek, halfHour))) continue;
      const start = halfHour;
      while (halfHour + 1 < cellsADay && cells.has(cellAt(dayOfWeek, halfHour + 1))) halfHour += 1;
      ranges.push({ dayOfWeek, startTime: clockAt(start), endTime: clockAt(halfHour + 1) });
    }
  }
  return ranges;
}

/** `HH:MM` */
export function clockAt(halfHour: number): string {
  return `${String(Math.floor(halfHour / 2)).padStart(2, '0')}:${halfHour % 2 === 0 ? '00' : '30'}`;
}

export function areSame(one: ReadonlySet<Cell>, other: ReadonlySet<Cell>): boolean {
  return one.size === other.size && [...one].every((cell) => other.has(cell));
}

function halfHoursAt(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 2 + minutes / 30;
}
