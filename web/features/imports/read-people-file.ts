import { listImportableCohorts } from '#contract/imports.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryClient, queryFor } from '../../api/query-for.ts';
import { type FileProblem, fileProblem, type PeopleFile } from './parse-people-file.ts';
import type { FileToRead } from './people-file-worker.ts';

export type Chosen = { file: PeopleFile } | { problem: FileProblem };

/** Reads and checks a chosen file off the main thread, so that a file of 5 MB does not freeze the screen. */
export async function readPeopleFile(file: File): Promise<Chosen> {
  const problem = fileProblem(file);
  if (problem) return { problem };
  try {
    // Reads the cohorts again, because somebody may have made one since the page was opened.
    const { cohorts } = await queryClient.fetchQuery({ ...queryFor(listImportableCohorts), staleTime: 0 });
    const result = await readInWorker({ file, cohorts });
    return 'title' in result ? { problem: result } : { file: result };
  } catch (error) {
    return { problem: { title: 'File Not Checked', message: messageOf(error) } };
  }
}

function readInWorker(given: FileToRead): Promise<PeopleFile | FileProblem> {
  const worker = new Worker(new URL('./people-file-worker.ts', import.meta.url), { type: 'module' });
  const reading = new Promise<PeopleFile | FileProblem>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<PeopleFile | FileProblem>) => resolve(data));
    worker.addEventListener('error', () => reject(new Error('The part of this page that reads files did not load.')));
  });
  worker.postMessage(given);
  return reading.finally(() => worker.terminate());
}
