import type { Readable } from 'node:stream';
import type { S3Config } from '#server/config.ts';

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
