import { AppError, storageIsFull } from './errors.ts';

const causes = [
  {
    code: 'not_configured',
    names: ['NoSuchBucket', 'ENOTDIR'],
    message: 'The file storage is not set up: its bucket is missing. Please tell an administrator.',
  },
  {
    code: 'unavailable',
    names: [
      'AccessDenied',
      'AllAccessDisabled',
      'InvalidAccessKeyId',
      'SignatureDoesNotMatch',
      'EACCES',
      'EPERM',
      'EROFS',
    ],
    message: 'The file storage refused this by its permissions policy. Please tell an administrator.',
  },
  {
    code: 'unavailable',
    names: [
      'ECONNREFUSED',
      'ECONNRESET',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EPIPE',
      'ETIMEDOUT',
      'TimeoutError',
    ],
    message: 'The file storage could not be reached because of a network issue. Please try again.',
  },
  {
    code: 'unavailable',
    names: ['InternalError', 'ServiceUnavailable', 'SlowDown', 'RequestTimeout'],
    message: 'The file storage is not working right now. Please try again.',
  },
] as const;

const namesOfFull = ['ENOSPC', 'EDQUOT', 'QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage'];

/** ERR-04: the refusal that names the cause, or null if a storage is not known for the error. */
export function storageRefusal(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null;
  const names = namesOf(error);
  if (isOfFullStorage(error)) return storageIsFull(error);
  const cause = causes.find((candidate) => candidate.names.some((name) => names.includes(name)));
  return cause ? new AppError(cause.code, cause.message, { cause: error }) : null;
}

export function isOfFullStorage(error: unknown): boolean {
  return error instanceof Error && namesOf(error).some((name) => namesOfFull.includes(name));
}

function namesOf(error: Error): string[] {
  return [error.name, 'code' in error ? String(error.code) : '', 'Code' in error ? String(error.Code) : ''];
}

/** Does the work, and throws the refusal if it knows one. */
export async function withStorageRefusals<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw storageRefusal(error) ?? error;
  }
}
