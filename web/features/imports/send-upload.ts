import { BulkInvitationsAnswer, type BulkRecord, processBulkInvitations } from '#contract/documented-functions.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/errors.ts';
import { networkError } from '../../api/api-error.ts';
import { isProofGiven } from '../../api/fresh-proof.ts';
import { isSessionAlive } from '../../api/session.ts';

export type UploadAnswer = ResponseOf<typeof processBulkInvitations>;

/**
 * Sends the people of a file to the documented function. Unlike `call`, it words a refusal as the specification does,
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
  const text = await response.text().catch(() => {
    throw networkError();
  });
  if (!response.ok && isProofAsked(text) && (await isProofGiven())) return sendUpload(filename, records);
  if (!response.ok) throw new Error(`Edge function error: ${response.status} - ${detailOf(text)}`);
  return BulkInvitationsAnswer.parse(JSON.parse(text));
}

/** A file with coaches or admins needs its sender's fresh proof. */
function isProofAsked(text: string): boolean {
  return problemIn(text)?.code === 'proof_required';
}

/** Returns our own problem's sentence, or any other text as it came. */
function detailOf(text: string): string {
  return problemIn(text)?.detail ?? text;
}

function problemIn(text: string): Problem | null {
  try {
    return Problem.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
