import { randomUUID } from 'node:crypto';
import { machineTime } from './clock.ts';

let last = { millisecond: 0, place: 0 };

/**
 * Makes a time-ordered id (RFC 9562 version 7), as the database does. Lists are paged by their ids, so the ids that one
 * process makes within a millisecond keep their order too.
 */
export function newId(): string {
  const millisecond = machineTime().getTime();
  last = { millisecond, place: millisecond === last.millisecond ? last.place + 1 : 0 };
  const time = millisecond.toString(16).padStart(12, '0');
  const place = (last.place & 0x0fff).toString(16).padStart(3, '0');
  // The end of a random id has the same form in both versions, and Node draws the bytes of many at once.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${place}-${randomUUID().slice(19)}`;
}
