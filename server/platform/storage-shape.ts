import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';

/** Both ends are included, as in a Range header. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredBytes {
  stream: Readable;
  /** Of the whole file, also when a range was asked for. */
  size: number;
}

/** Where the bytes of uploads are; what they mean is in the database. */
export interface Storage {
  tusStore: DataStore;
  /** Null when nothing is stored under this path. */
  read(path: string, range?: ByteRange): Promise<StoredBytes | null>;
  /** Returns when a finished upload would survive a power cut. */
  settle(path: string): Promise<void>;
  /** Also removes what an unfinished upload left; removing nothing is fine. */
  remove(path: string): Promise<void>;
  /** Writes to know it. */
  isHealthy(): Promise<boolean>;
}
