import { AppError } from './errors.ts';

/** Refuses to overwrite what somebody else has written since the row was opened. The editor shows both versions. */
export function refuseOvertaken(present: number, opened: number, thing: string): void {
  if (present === opened) return;
  throw new AppError('stale', `Somebody else has changed this ${thing} since you opened it. Both versions are shown.`);
}
