import type { ImportableCohort } from '#contract/imports.ts';
import { decodeText, type FileProblem, type PeopleFile, parsePeople } from './parse-people-file.ts';

export interface FileToRead {
  file: File;
  cohorts: ImportableCohort[];
}

self.addEventListener('message', ({ data }: MessageEvent<FileToRead>) => {
  void read(data).then((result) => self.postMessage(result));
});

async function read({ file, cohorts }: FileToRead): Promise<PeopleFile | FileProblem> {
  try {
    return parsePeople(decodeText(new Uint8Array(await file.arrayBuffer())), file.name, cohorts);
  } catch (error) {
    return { title: 'File Parse Error', message: error instanceof Error ? error.message : String(error) };
  }
}
