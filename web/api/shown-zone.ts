import { houseZone } from '#contract/house-zone.ts';

let zone = houseZone;

/** The zone in which times are said, a name of the tz database: that of the person's program. */
export function shownZone(): string {
  return zone;
}

/** The session says which. */
export function showTimesIn(name: string): void {
  zone = name;
}
