import { randomBytes } from 'node:crypto';
import { machineTime } from './clock.ts';

let last = { millisecond: 0, place: 0 };

/**
 * Makes a time-ordered id (RFC 9562 version 7), as the database does. Lists are paged by their ids, so the ids that one
 * process makes within a millisecond keep their order too.
 */
export function newId(): string {
  const millisecond = machineTime().getTime();
  last = { millisecond, place: millisecond === last.millisecond ? last.place + 1 : 0 };
  const bytes = randomBytes(16);
  bytes.writeUIntBE(millisecond, 0, 6);
  bytes.writeUInt16BE(0x7000 | (last.place & 0x0fff), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
