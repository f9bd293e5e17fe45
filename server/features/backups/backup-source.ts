import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#server/config.ts';
import { productVersion } from '#server/platform/product-version.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import type { BackupSource } from './backup-making.ts';

/** Where DATA_DIR keeps the secret of an instance that has no AUTH_SECRET. */
export const keptSecretName = 'auth-secret';

/** What a backup of this instance is made of. */
export async function backupSourceOf(
  config: Pick<Config, 'authSecret' | 'dataDir'>,
  connectionString: string,
  storage: Storage,
): Promise<BackupSource> {
  const keptSecret = config.authSecret ? null : await readIfThere(path.join(config.dataDir, keptSecretName));
  const secret = config.authSecret ?? keptSecret?.trim() ?? null;
  return { connectionString, storage, secret, keptSecret, version: productVersion() };
}

export async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
