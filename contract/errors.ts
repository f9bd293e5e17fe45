import { z } from 'zod';

/** The closed list of error codes. Each one answers with its HTTP status. */
export const errorStatus = {
  not_authenticated: 401,
  forbidden: 403,
  second_factor_required: 403,
  password_change_required: 403,
  proof_required: 403,
  csrf_refused: 403,
  not_found: 404,
  invalid_input: 422,
  malformed_request: 400,
  conflict: 409,
  duplicate: 409,
  stale: 409,
  slot_taken: 409,
  too_large: 413,
  unsupported_type: 415,
  too_many_requests: 429,
  not_configured: 503,
  unavailable: 503,
  storage_full: 507,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;
export const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457 problem details. `code` is stable, and `detail` is a sentence that a person can act on. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(errorCodes),
  detail: z.string(),
  /** The requestId. A person can quote it. */
  instance: z.string().nullable(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).nullable(),
});
export type Problem = z.infer<typeof Problem>;

/** ACT-19: outside callers of the documented functions read `success` and `error`, even in a refusal. */
export const FunctionProblem = Problem.extend({ success: z.literal(false), error: z.string() });
export type FunctionProblem = z.infer<typeof FunctionProblem>;
