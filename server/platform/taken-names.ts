import { AppError } from '#server/platform/errors.ts';

const uniqueViolation = '23505';

/**
 * Use it in the `catch` of a write that may exist only once. It refuses the second one in these words, even if two
 * people write at once.
 */
export function refuseTaken(message: string, path?: string): (error: unknown) => never {
  return (error) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === uniqueViolation;
    if (!isTaken) throw error;
    throw new AppError('duplicate', message, path === undefined ? {} : { errors: [{ path, message }] });
  };
}
