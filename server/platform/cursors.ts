import { z } from 'zod';
import { AppError } from './errors.ts';

/** Encodes the place of a row in its list. The browser hands it back unchanged. */
export function writeCursor(place: z.core.util.JSONType[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Throws `invalid_input` for any text that `writeCursor` did not write for this list. */
export function readCursor<Place extends z.ZodType>(cursor: string, place: Place): z.output<Place> {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
    const message = 'This page no longer exists. Please start from the first one.';
    throw new AppError('invalid_input', message, { cause });
  }
}
