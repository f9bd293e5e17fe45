import type { ResponseOf } from '#contract/endpoint.ts';
import { type BulkRecord, processBulkInvitations } from '#contract/functions.ts';
import { messageOf, networkError } from '../../api/api-error.ts';
import { isSessionAlive } from '../../api/session.ts';

export type UploadAnswer = ResponseOf<typeof processBulkInvitations>;

/**
 * Sends the people of a file to the documented function. Unlike `call` it words a refusal as the specification does,
 * with the status and the text of the answer (BULK-34, BULK-36).
 */
export async function sendUpload(filename: string, records: BulkRecord[]): Promise<UploadAnswer> {
  if (!(await isSessionAlive())) throw new Error('No valid session found');
  const response = await fetch(processBulkInvitations.path, {
    method: processBulkInvitations.method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ records, filename }),
  }).catch(() => {
    throw networkError();
  });
  if (response.status === 401) throw new Error('No valid session found');
  const text = await response.text();
  if (!response.ok) throw new Error(`Edge function error: ${response.status} - ${detailOf(text)}`);
  return processBulkInvitations.response.parse(JSON.parse(text));
}

/** Our own problem details in their one sentence; any other text as it came. */
function detailOf(text: string): string {
  try {
    const problem: unknown = JSON.parse(text);
    return problem && typeof problem === 'object' && 'detail' in problem ? String(problem.detail) : text;
  } catch (error) {
    return error instanceof SyntaxError ? text : messageOf(error);
  }
}
