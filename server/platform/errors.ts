import { type ErrorCode, errorStatus, type Problem } from '#contract/errors.ts';

export interface FieldError {
  path: string;
  message: string;
}

/** The only error that acts throw on purpose. Its code decides the status, and the person reads its detail. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fieldErrors: FieldError[] | null;
  /** Seconds until another try makes sense, sent as `Retry-After`. */
  readonly retryAfter: number | null;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: FieldError[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    const { stackTraceLimit } = Error;
    // A list asks about each of its rows what may be done, so it makes hundreds of refusals that nobody throws. To find out
    // where each one was made took a tenth of a server that lists weeks.
    if (errorStatus[code] < 500) Error.stackTraceLimit = 0;
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'AppError';
    this.code = code;
    this.fieldErrors = options.errors ?? null;
    this.retryAfter = options.retryAfter ?? null;
  }
}

/** Files and the database share this refusal. The sender has to keep what was sent. */
export function storageIsFull(cause: unknown): AppError {
  const detail = 'Storage is full, so this was not saved. Please tell an administrator, and try again later.';
  return new AppError('storage_full', detail, { cause });
}

export function notFound(detail: string): AppError {
  return new AppError('not_found', detail);
}

const titles: Record<ErrorCode, string> = {
  not_authenticated: 'Not signed in',
  forbidden: 'Not allowed',
  second_factor_required: 'Second factor needed',
  password_change_required: 'New password needed',
  proof_required: 'Please confirm that it is you',
  csrf_refused: 'Request refused',
  not_found: 'Not found',
  invalid_input: 'Invalid input',
  malformed_request: 'Malformed request',
  conflict: 'Conflict',
  duplicate: 'Already there',
  stale: 'Changed in between',
  slot_taken: 'Slot taken',
  too_large: 'Too large',
  unsupported_type: 'Unsupported type',
  too_many_requests: 'Too many requests',
  not_configured: 'Not configured',
  unavailable: 'Unavailable',
  storage_full: 'Storage full',
  internal: 'Server error',
};

export function problemFor(code: ErrorCode, detail: string, requestId: string, errors: FieldError[] | null): Problem {
  return {
    type: `urn:switchyard:error:${code}`,
    title: titles[code],
    status: errorStatus[code],
    code,
    detail,
    instance: requestId,
    errors,
  };
}
