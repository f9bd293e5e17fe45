import type { Endpoint } from '#contract/endpoint.ts';
import { type ErrorCode, Problem } from '#contract/errors.ts';

/** COACH-14 */
export const unreachable = 'Unable to connect to the server. Please check your internet connection and try again.';

const silentRead = 'No answer has come yet. Please check your internet connection and try again.';
const silentAct = 'No answer has come yet, so we cannot say whether this arrived. You can try again.';

/** The server refused, or could not be reached. `message` is a sentence a person can act on. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'network';
  readonly status: number;
  readonly fieldErrors: { path: string; message: string }[];
  readonly requestId: string | null;
  /** How long the server asks to be left alone. */
  readonly retryAfterInMs: number;
  /** True if nobody answered in time. The server may have done what it was asked for. */
  readonly isSilence: boolean;

  constructor(
    problem: Pick<Problem, 'status' | 'detail' | 'errors' | 'instance'> & { code: ErrorCode | 'network' },
    { retryAfterInMs = 0, isSilence = false } = {},
  ) {
    super(problem.detail);
    this.name = 'ApiError';
    this.code = problem.code;
    this.status = problem.status;
    this.fieldErrors = problem.errors ?? [];
    this.requestId = problem.instance;
    this.retryAfterInMs = retryAfterInMs;
    this.isSilence = isSilence;
  }
}

export function networkError(): ApiError {
  return new ApiError({ code: 'network', status: 0, detail: unreachable, errors: null, instance: null });
}

/** Nobody has answered a read or an act in time. */
export function silenceError({ method }: Pick<Endpoint, 'method'>): ApiError {
  const detail = method === 'GET' ? silentRead : silentAct;
  return new ApiError({ code: 'network', status: 0, detail, errors: null, instance: null }, { isSilence: true });
}

export async function errorFrom(response: Response): Promise<ApiError> {
  const problem = Problem.safeParse(await response.json().catch(() => null));
  const retryAfterInMs = retryAfterOf(response.headers.get('retry-after'));
  if (problem.success) return new ApiError(problem.data, { retryAfterInMs });
  const detail = `Something went wrong (${response.status}). Please try again.`;
  const unknown = { code: 'internal', status: response.status, detail, errors: null, instance: null } as const;
  return new ApiError(unknown, { retryAfterInMs });
}

/** `Retry-After` is a number of seconds or a date. */
function retryAfterOf(header: string | null): number {
  const seconds = Number(header ?? 0);
  const wait = Number.isNaN(seconds) ? Date.parse(header ?? '') - Date.now() : seconds * 1000;
  return Math.max(0, wait || 0);
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_authenticated';
}

/** The subject of the act has changed since it was shown. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'conflict';
}

/** The screen is behind. The subject of the act has changed, is gone, or is no longer for this person. */
export function isBehind(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 409].includes(error.status) && !error.code.endsWith('_required');
}

export function isSilence(error: unknown): boolean {
  return error instanceof ApiError && error.isSilence;
}

/** There is nothing at this address for this person. An id that no record can have says the same. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_input');
}

/** Nothing was refused. The server was not reached, or could not answer now. The same call may work later. */
export function isOfTheWay(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'network' || error.status >= 500 || error.status === 429);
}

/** The words for a failure, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
