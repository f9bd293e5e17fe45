import { useSyncExternalStore } from 'react';
import { refuseUpload } from '#contract/files.ts';
import { listUserFiles } from '#contract/user-files.ts';
import { refresh } from '../../api/query-for.ts';
import { isSessionAlive } from '../../api/session.ts';
import { type RunningUpload, startUpload } from '../../api/upload.ts';
import { showToast } from '../../ui/toast.tsx';

export interface QueuedUpload {
  key: string;
  ownerId: string;
  file: File;
  /** The server's id of the upload, once it has begun. */
  uploadId: string | null;
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'refused';
  sent: number;
  problem: string | null;
  isUnreachable: boolean;
}

const sentAtOnce = 2;
const area = 'my_files';

/** Uploads go on while the person looks at other screens, so this module keeps them, not a screen. */
let uploads: readonly QueuedUpload[] = [];
const running = new Map<string, RunningUpload>();
const listeners = new Set<() => void>();
let lastKey = 0;

export function useUploads(ownerId: string): QueuedUpload[] {
  const all = useSyncExternalStore(subscribe, () => uploads);
  return all.filter((upload) => upload.ownerId === ownerId);
}

export function isUnderWay({ state }: Pick<QueuedUpload, 'state'>): boolean {
  return state === 'waiting' || state === 'sending';
}

/** Gives up the files of another person who used this tab before. */
export function addUploads(ownerId: string, files: readonly File[]): void {
  const others = uploads.filter((upload) => upload.ownerId !== ownerId);
  for (const { key } of others) void cancelUpload(key);
  const added = files.map((file): QueuedUpload => {
    lastKey += 1;
    const refusal = refuseUpload(area, file.name, file.size);
    if (refusal) tellFailure(refusal.message);
    return {
      key: `upload-${lastKey}`,
      ownerId,
      file,
      uploadId: null,
      state: refusal ? 'refused' : 'waiting',
      sent: 0,
      problem: refusal?.message ?? null,
      isUnreachable: false,
    };
  });
  const kept = uploads.some(isUnderWay) ? uploads : uploads.filter(({ state }) => state === 'failed');
  publish([...kept, ...added]);
  sendNext();
}

/** Stops the upload if it is under way, and takes it off the list. */
export async function cancelUpload(key: string): Promise<void> {
  const sending = running.get(key);
  running.delete(key);
  publish(uploads.filter((upload) => upload.key !== key));
  sendNext();
  await sending?.cancel();
  await refresh([listUserFiles]);
}

export function retryUpload(key: string): void {
  change(key, { state: 'waiting', problem: null, isUnreachable: false });
  sendNext();
}

function sendNext(): void {
  const free = sentAtOnce - uploads.filter(({ state }) => state === 'sending').length;
  for (const upload of uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) send(upload);
}

function send({ key, file }: QueuedUpload): void {
  change(key, { state: 'sending', sent: 0 });
  const started = startUpload(file, area, {
    onBegun: (uploadId) => change(key, { uploadId }),
    onProgress: (sent) => change(key, { sent }),
    onDone: () => end(key, { state: 'done', sent: file.size }),
    onFailed: (problem, cause) => {
      end(key, {
        state: cause === 'unsupported' ? 'refused' : 'failed',
        problem,
        isUnreachable: cause === 'unreachable',
      });
      tellFailure(problem);
      // This asks the person to sign in again. The server keeps what has arrived for another try.
      if (cause === 'signed-out') void isSessionAlive();
    },
  });
  running.set(key, started);
}

function end(key: string, changes: Partial<QueuedUpload>): void {
  running.delete(key);
  change(key, changes);
  sendNext();
  if (!uploads.some(isUnderWay)) tellSuccess();
  void refresh([listUserFiles]);
}

/** Shows one toast for all files that were sent together. */
function tellSuccess(): void {
  const done = uploads.filter(({ state }) => state === 'done');
  const [first] = done;
  if (!first) return;
  if (done.length === 1) showToast({ type: 'success', title: 'File Uploaded', message: first.file.name });
  else
    showToast({
      type: 'success',
      title: 'Files Uploaded',
      message: `${done.length.toLocaleString('en-US')} files are in My Files.`,
    });
}

/** FILES-12 */
function tellFailure(message: string): void {
  showToast({ type: 'error', title: 'Upload Failed', message });
}

function change(key: string, changes: Partial<QueuedUpload>): void {
  publish(uploads.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
}

function publish(next: readonly QueuedUpload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** An upload that failed without a connection goes on by itself when the connection is back. */
window.addEventListener('online', () => {
  for (const { key, isUnreachable } of uploads) if (isUnreachable) retryUpload(key);
});
