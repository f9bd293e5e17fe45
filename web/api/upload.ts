import { type DetailedError, Upload } from 'tus-js-client';
import { readSession } from '#contract/accounts.ts';
import { cancelUpload, createUpload, type UploadArea } from '#contract/files.ts';
import { addressOf } from './call.ts';
import { queryClient, queryFor } from './query-for.ts';

/** An unsupported file stays unsupported however often it is sent. A refused file may be accepted another time. */
export type FailureCause = 'refused' | 'unsupported' | 'signed-out' | 'unreachable';

export interface UploadNews {
  onProgress: (sent: number) => void;
  /** The server knows the upload by this id from now on. */
  onBegun?: (id: string) => void;
  onDone: (id: string) => void;
  onFailed: (message: string, cause: FailureCause) => void;
}

export interface RunningUpload {
  /**
   * Stops the upload and gives it up. If the server could not be told, this returns false, and the upload stays
   * unfinished for a day.
   */
  cancel: () => Promise<boolean>;
}

const pieceBytes = 5 * 1024 * 1024;
const headers = { 'X-Requested-With': 'switchyard' };
const retryDelaysInMs = [200, 400, 800, 1600, 3200, 6400, 12_800];
const notReached = 'File upload failed. Please check your connection and try again.';

/** Uploads that this page is sending. The same file chosen again is another upload. */
const running = new Set<string>();

/**
 * Sends a file in pieces. After a broken connection, a reload or a restart of the server, it goes on where it stopped.
 */
export function startUpload(file: File, area: UploadArea, news: UploadNews): RunningUpload {
  const ownerId = signedInId();
  let address: string | null = null;
  let isStopped = false;
  const leave = () => {
    isStopped = true;
    if (address) running.delete(address);
  };
  const upload = new Upload(file, {
    endpoint: createUpload.path,
    metadata: { filename: file.name, filetype: file.type, area },
    headers,
    chunkSize: pieceBytes,
    retryDelays: retryDelaysInMs,
    removeFingerprintOnSuccess: true,
    onBeforeRequest: () => {
      // On a shared device, somebody else may have signed in meanwhile. Nothing of this upload is theirs.
      if (signedInId() !== ownerId) throw new Error('Somebody else has signed in.');
    },
    onUploadUrlAvailable: () => {
      address = upload.url;
      if (address) running.add(address);
      news.onBegun?.(idIn(address));
    },
    onProgress: (sent) => news.onProgress(sent),
    onError: (error) => {
      leave();
      const { message, cause } = reasonOf(error);
      news.onFailed(message, cause);
    },
    onSuccess: () => {
      leave();
      news.onDone(idIn(upload.url));
    },
  });
  void upload.findPreviousUploads().then((previous) => {
    if (isStopped) return;
    const earlier = previous.find(
      ({ metadata, uploadUrl }) => metadata.area === area && uploadUrl !== null && !running.has(uploadUrl),
    );
    if (earlier) upload.resumeFromPreviousUpload(earlier);
    upload.start();
  });
  return {
    cancel: async () => {
      leave();
      return upload.abort(true).then(
        () => true,
        () => false,
      );
    },
  };
}

/** Gives up an upload of the person's own that this page is not sending. Throws with the reason in words. */
export async function discardUpload(id: string): Promise<void> {
  const address = addressOf(cancelUpload, { params: { id } });
  await Upload.terminate(address, { headers, retryDelays: null }).catch((error: Error) => {
    throw new Error(reasonOf(error).message, { cause: error });
  });
}

function signedInId(): string | undefined {
  return queryClient.getQueryData(queryFor(readSession).queryKey)?.user?.id;
}

function idIn(address: string | null): string {
  return address?.split('/').at(-1) ?? '';
}

const causes: Record<number, FailureCause> = { 401: 'signed-out', 415: 'unsupported' };

/** Prefers the server's own words. */
function reasonOf(error: Error | DetailedError): { message: string; cause: FailureCause } {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  if (!response) return { message: notReached, cause: 'unreachable' };
  const cause = causes[response.getStatus()] ?? 'refused';
  return { message: detailIn(response.getBody()) ?? notReached, cause };
}

function detailIn(body: string): string | null {
  try {
    const problem: unknown = JSON.parse(body);
    return problem && typeof problem === 'object' && 'detail' in problem ? String(problem.detail) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return body || null;
    throw error;
  }
}
