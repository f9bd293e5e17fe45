/** AUTH-30 */
export const noTokenFound = 'No valid reset token found in URL';

/** What a set-password address carries: 'none' without any of it, 'broken' with parts of it only (AUTH-25). */
export type RecoveryLink = { state: 'none' } | { state: 'broken' } | { state: 'complete'; token: string };

/** Reads the link from one part of the address, the query or the hash. */
export function readRecoveryLink(part: string): RecoveryLink {
  const values = new URLSearchParams(part.replace(/^[#?]/, ''));
  const token = values.get('access_token');
  const isRecovery = values.get('type') === 'recovery';
  if (token && values.get('refresh_token') && isRecovery) return { state: 'complete', token };
  const isEmpty = !values.has('access_token') && !values.has('refresh_token') && !isRecovery;
  return { state: isEmpty ? 'none' : 'broken' };
}
