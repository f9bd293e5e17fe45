/** AUTH-30 */
export const noTokenFound = 'No valid reset token found in URL';

/** 'none': the address has no part of a link. 'broken': it has only some of the parts (AUTH-25). */
export type RecoveryLink =
  | { state: 'none' }
  | { state: 'broken' }
  | { state: 'complete'; token: string; values: string };

/** Reads the link from the address's hash or, if that has none, from its query. */
export function readRecoveryLink({ hash, search }: Pick<Location, 'hash' | 'search'>): RecoveryLink {
  const inHash = readPart(hash);
  return inHash.state === 'none' ? readPart(search) : inHash;
}

function readPart(part: string): RecoveryLink {
  const values = new URLSearchParams(part.replace(/^[#?]/, ''));
  const token = values.get('access_token');
  const isRecovery = values.get('type') === 'recovery';
  if (token && values.get('refresh_token') && isRecovery)
    return { state: 'complete', token, values: values.toString() };
  const isEmpty = !values.has('access_token') && !values.has('refresh_token') && !isRecovery;
  return { state: isEmpty ? 'none' : 'broken' };
}
