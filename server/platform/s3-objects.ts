import { Readable } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { isNoSuchObject, type Patience } from './s3-client.ts';
import type { ByteRange, StoredBytes } from './storage-shape.ts';
import { unlessStalled } from './unless-stalled.ts';

export interface Bucket {
  client: S3;
  bucket: string;
  patience: Patience;
}

/** S3 takes at most ten thousand pieces: this is enough for 160 GB. */
const pieceInBytes = 16 * 1024 * 1024;

/** In pieces, because nobody knows the length before. An object is there once all of it is. */
export async function writeToS3({ client, bucket }: Bucket, key: string, bytes: Readable): Promise<void> {
  const params = { Bucket: bucket, Key: key, Body: bytes };
  await new Upload({ client, params, partSize: pieceInBytes, queueSize: 2 }).done();
}

export async function readFromS3(
  { client, bucket, patience }: Bucket,
  key: string,
  range?: ByteRange,
): Promise<StoredBytes | null> {
  try {
    const found = await client.getObject({
      Bucket: bucket,
      Key: key,
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    if (!(found.Body instanceof Readable)) throw new Error('The storage answered without a body.');
    const total = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1];
    return {
      stream: unlessStalled(found.Body, patience.silence),
      size: total ? Number(total) : (found.ContentLength ?? 0),
    };
  } catch (error) {
    if (isNoSuchObject(error)) return null;
    throw error;
  }
}

export async function removeFromS3({ client, bucket }: Bucket, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const { Errors: errors = [] } = await client.deleteObjects({
    Bucket: bucket,
    Delete: { Objects: keys.map((key) => ({ Key: key })), Quiet: true },
  });
  if (errors[0]) throw new Error(`The bucket did not remove an object: ${errors[0].Code ?? 'unknown'}.`);
}
