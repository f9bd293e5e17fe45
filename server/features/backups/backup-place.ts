import type { Readable } from 'node:stream';
import type { S3Config } from '#server/config.ts';
import { openFolderPlace } from './folder-place.ts';
import { openS3Place } from './s3-place.ts';

/** Where backups lie, each as a folder of parts. */
export interface BackupPlace {
  /** Names the place for people, without secrets. */
  shown: string;
  write(backup: string, part: string, bytes: Readable): Promise<void>;
  /** Returns null if there is no such part in a finished backup. */
  read(backup: string, part: string): Promise<Readable | null>;
  /** Makes the backup a whole one. Until then, nobody takes it for one. */
  finish(backup: string, manifest: string): Promise<void>;
  findWhole(): Promise<string[]>;
  /** Removes a backup, whole or unfinished. Removing nothing is fine. */
  remove(backup: string): Promise<void>;
}

/** The bucket comes from the address. */
export type PlaceAccess = Omit<S3Config, 'bucket'> | null;

/** Takes a folder, or s3://bucket/prefix. */
export function openPlace(address: string, access: PlaceAccess): BackupPlace {
  const [, bucket, prefix = ''] = /^s3:\/\/([\w.-]{3,63})(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket) {
    if (!access) throw new Error(`${address} needs BACKUP_S3_* or S3_* settings for its key and secret.`);
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
