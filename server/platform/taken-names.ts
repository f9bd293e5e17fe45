import { AppError } from '#server/platform/errors.ts';

const uniqueViolation = '23505';

/** For the `catch` of a write: what there may be once only is refused in these words, also where two write it at once. */
export function refuseTaken(message: string, path?: string): (error: unknown) => never {
  return (error) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === uniqueViolation;
    if (!isTaken) throw error;
    throw new AppError('duplicate', message, path === undefined ? {} : { errors: [{ path, message }] });
  };
}
