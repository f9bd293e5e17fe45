import type { Config } from '#server/config.ts';
import { withStorageRefusals } from './storage-errors.ts';
import { openFolderStorage } from './storage-folder.ts';
import type { Storage } from './storage-shape.ts';

/** The client of S3 takes a tenth of the memory, so it loads only where it is used. */
const loadS3 = () => import('./storage-s3.ts');

export async function openStorage(config: Pick<Config, 's3' | 'dataDir'>): Promise<Storage> {
  const storage = config.s3 ? (await loadS3()).openS3Storage(config.s3) : openFolderStorage(config.dataDir);
  return {
    ...storage,
    read: (path, range) => withStorageRefusals(storage.read(path, range)),
    settle: (path) => withStorageRefusals(storage.settle(path)),
    remove: (path) => withStorageRefusals(storage.remove(path)),
    write: (path, bytes) => withStorageRefusals(storage.write(path, bytes)),
    isEmpty: () => withStorageRefusals(storage.isEmpty()),
  };
}
