import type { BackupPlace, PlaceAccess } from './backup-place.ts';
import { openFolderPlace } from './folder-place.ts';

/** The client of S3 takes a tenth of the memory, so it loads only where it is used. */
const loadS3 = () => import('./s3-place.ts');

/** Takes a folder, or s3://bucket/prefix. */
export async function openPlace(address: string, access: PlaceAccess): Promise<BackupPlace> {
  const [, bucket, prefix = ''] = /^s3:\/\/([\w.-]{3,63})(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket) {
    if (!access) throw new Error(`${address} needs BACKUP_S3_* or S3_* settings for its key and secret.`);
    const { openS3Place } = await loadS3();
    return openS3Place({ ...access, bucket }, prefix.replace(/^\/+|\/+$/g, ''));
  }
  if (/^\w+:/.test(address))
    throw new Error(`A backup goes to a folder or to s3://bucket/prefix, not to ${schemeOf(address)}.`);
  return openFolderPlace(address);
}

/** An address of another kind may hold a password. */
function schemeOf(address: string): string {
  return `${address.slice(0, address.indexOf(':'))}:`;
}
