import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#server/config.ts';
import type { Secrets } from '#server/platform/secret-box.ts';

/** The secrets of the instance. Processes that share a database must share them too: give them AUTH_SECRET. */
export async function loadSecrets(
  config: Pick<Config, 'authSecret' | 'formerAuthSecret' | 'dataDir'>,
): Promise<Secrets> {
  const current = await loadAuthSecret(config);
  const former = config.formerAuthSecret;
  return former === null || former === current ? [current] : [current, former];
}

/** AUTH_SECRET, or the secret that DATA_DIR keeps, which is made if there is none. */
export async function loadAuthSecret(config: Pick<Config, 'authSecret' | 'dataDir'>): Promise<string> {
  if (config.authSecret) return config.authSecret;
  const file = path.join(config.dataDir, 'auth-secret');
  const kept = await readFile(file, 'utf8').catch(onlyWhen('ENOENT'));
  if (kept) return kept.trim();

  await mkdir(config.dataDir, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  // A link never replaces: of two processes that start at once, both end up with the first one's secret.
  await link(draft, file).catch(onlyWhen('EEXIST'));
  await rm(draft);
  return (await readFile(file, 'utf8')).trim();
}

function onlyWhen(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
