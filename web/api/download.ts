import type { Endpoint } from '#contract/endpoint.ts';
import { downloadFile } from '#contract/files.ts';
import { showToast } from '../ui/toast.tsx';
import { errorFrom, messageOf, networkError, silenceError } from './api-error.ts';
import { addressOf } from './call.ts';
import { isProofGiven } from './fresh-proof.ts';
import { silenceInMs, staysSilent } from './patience.ts';

type Place = Parameters<typeof addressOf>[1];

/**
 * SUBM-19, SUBM-20, FILES-15, FILES-16: first asks for one byte, so that the person reads the reason of a refusal. Then
 * the browser saves the file.
 */
export async function downloadStoredFile(fileId: string | null): Promise<void> {
  if (!fileId) {
    showToast({ type: 'error', title: 'No File', message: 'This submission does not have a file to download' });
    return;
  }
  const address = addressOf(downloadFile, { params: { id: fileId } });
  try {
    await expectReadable(address);
  } catch (error) {
    showToast({ type: 'error', title: 'Download Failed', message: messageOf(error) });
    return;
  }
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

async function expectReadable(address: string): Promise<void> {
  const headers = { range: 'bytes=0-0', accept: 'application/problem+json, */*' };
  const asked = fetch(address, { headers, credentials: 'same-origin', cache: 'no-store' });
  if (await staysSilent(asked, silenceInMs)) throw silenceError(downloadFile);
  const response = await asked.catch(() => {
    throw networkError();
  });
  if (!response.ok) throw await errorFrom(response);
  await response.arrayBuffer();
}

/** Saves an endpoint's answer as a file. The person reads the reason of a refusal. */
export async function downloadAnswer(endpoint: Endpoint, place: Place, fileName: string): Promise<void> {
  try {
    const response = await fetchAnswer(addressOf(endpoint, place));
    const address = URL.createObjectURL(await response.blob());
    const link = document.createElement('a');
    link.href = address;
    link.download = fileName;
    link.click();
    URL.revokeObjectURL(address);
  } catch (error) {
    showToast({ type: 'error', title: 'Download Failed', message: messageOf(error) });
  }
}

/** Asks again after a fresh proof if the endpoint needs one. */
async function fetchAnswer(address: string): Promise<Response> {
  const response = await fetch(address, { credentials: 'same-origin' }).catch(() => {
    throw networkError();
  });
  if (response.ok) return response;
  const error = await errorFrom(response);
  if (error.code === 'proof_required' && (await isProofGiven())) return fetchAnswer(address);
  throw error;
}
