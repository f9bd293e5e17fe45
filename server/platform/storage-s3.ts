import { Readable } from 'node:stream';
import { paginateListObjectsV2, S3, S3ServiceException } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { S3Store } from '@tus/s3-store';
import type { S3Config } from '#server/config.ts';
import type { ByteRange, Storage } from './storage-shape.ts';

const trialKey = '.readiness';
/** S3 takes at most ten thousand pieces: this is enough for 160 GB. */
const pieceInBytes = 16 * 1024 * 1024;

/**
 * A storage that says nothing for so long is given up, and asked again twice, so a person waits half a minute for a
 * refusal. Without it, a request to a storage that hangs would hang forever, with the process's connection to it.
 */
const longestSilenceInMs = 10_000;

/** Keeps files in an S3 bucket. An upload under way is a multipart upload with its state beside it as `.info`. */
export function openS3Storage(config: S3Config, silenceInMs = longestSilenceInMs): Storage {
  const { bucket } = config;
  const client = new S3(clientConfigOf(config, silenceInMs));
  const tusStore = new S3Store({ s3ClientConfig: { ...clientConfigOf(config, silenceInMs), bucket }, useTags: false });
  return {
    tusStore,
    read: (storedPath, range) => readFromS3(client, bucket, storedPath, range),
    // S3 acknowledges only what it has stored.
    settle: async () => undefined,
    remove: async (storedPath) => {
      await tusStore.remove(storedPath).catch((error: unknown) => {
        // The store refuses a path that has no upload under way any more. The code below removes its objects.
        if (!isTusNotFound(error)) throw error;
      });
      const keys = [storedPath, `${storedPath}.info`, `${storedPath}.part`];
      const { Errors: errors = [] } = await client.deleteObjects({
        Bucket: bucket,
        Delete: { Objects: keys.map((key) => ({ Key: key })), Quiet: true },
      });
      if (errors[0]) throw new Error(`The storage did not remove a file: ${errors[0].Code ?? 'unknown'}.`);
    },
    paths: () => keysIn(client, bucket),
    write: (storedPath, bytes) => writeToS3(client, bucket, storedPath, bytes),
    isEmpty: async () => {
      const { Contents: found = [] } = await client.listObjectsV2({ Bucket: bucket, MaxKeys: 2 });
      return found.every(({ Key }) => Key === trialKey);
    },
    isHealthy: async () => {
      const place = { Bucket: bucket, Key: trialKey };
      await client.putObject({ ...place, Body: 'ready' });
      await client.deleteObject(place);
      return true;
    },
  };
}

async function* keysIn(client: S3, bucket: string): AsyncGenerator<string> {
  for await (const { Contents: objects = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
    for (const { Key: key } of objects) {
      if (key !== undefined && key !== trialKey) yield key;
    }
  }
}

export function clientConfigOf(
  { region, endpoint, accessKeyId, secretAccessKey, forcePathStyle }: S3Config,
  silenceInMs = longestSilenceInMs,
) {
  return {
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    ...(endpoint ? { endpoint } : {}),
    // Many storages other than Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: silenceInMs, socketTimeout: silenceInMs },
  } as const;
}

/** In pieces, because nobody knows the length before. An object is there once all of it is. */
export async function writeToS3(client: S3, bucket: string, key: string, bytes: Readable): Promise<void> {
  const params = { Bucket: bucket, Key: key, Body: bytes };
  await new Upload({ client, params, partSize: pieceInBytes, queueSize: 2 }).done();
}

export async function readFromS3(client: S3, bucket: string, storedPath: string, range?: ByteRange) {
  try {
    const found = await client.getObject({
      Bucket: bucket,
      Key: storedPath,
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    if (!(found.Body instanceof Readable)) throw new Error('The storage answered without a body.');
    const total = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1];
    return { stream: found.Body, size: total ? Number(total) : (found.ContentLength ?? 0) };
  } catch (error) {
    if (error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound')) return null;
    throw error;
  }
}

function isTusNotFound(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status_code' in error && error.status_code === 404;
}
