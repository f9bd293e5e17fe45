import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';

/** Both ends are included, as in a Range header. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredBytes {
  stream: Readable;
  /** The size of the whole file, even if a range was asked for. */
  size: number;
}

/** Holds the bytes of uploads. The database holds their meaning. */
export interface Storage {
  tusStore: DataStore;
  /** Returns null if nothing is stored under this path. */
  read(path: string, range?: ByteRange): Promise<StoredBytes | null>;
  /** Returns once an upload whose bytes are all there is whole, and would survive a power cut. */
  settle(path: string): Promise<void>;
  /** Also removes the rest of an unfinished upload. Removing nothing is fine. */
  remove(path: string): Promise<void>;
  /** The paths of all that is stored, in no certain order. The states of uploads are among them. */
  paths(): AsyncIterable<string>;
  /** Stores a whole file. It is there with all of its bytes, or not at all. */
  write(path: string, bytes: Readable): Promise<void>;
  /** False if any file or unfinished upload is stored. */
  isEmpty(): Promise<boolean>;
  /** Tries a write to find out. */
  isHealthy(): Promise<boolean>;
}
