import { paginateListObjectsV2, S3 } from '@aws-sdk/client-s3';
import type { S3Config } from '#server/config.ts';
import { clientConfigOf, patienceOfCommands, patienceOfPeople } from './s3-client.ts';
import { type Bucket, readFromS3, removeFromS3, writeToS3 } from './s3-objects.ts';
import { openS3Uploads } from './storage-s3-uploads.ts';
import type { Storage } from './storage-shape.ts';

const trialKey = '.readiness';

/** Keeps files in an S3 bucket. An upload under way is a multipart upload with its state beside it as `.info`. */
export function openS3Storage(config: S3Config, patience = patienceOfPeople): Storage {
  const { bucket } = config;
  const client = new S3(clientConfigOf(config, patience));
  const place: Bucket = { client, bucket, patience };
  const bulk: Bucket = { ...place, client: new S3(clientConfigOf(config, patienceOfCommands)) };
  const { tusStore, settle, endUpload } = openS3Uploads(config, place);
  return {
    tusStore,
    read: (storedPath, range) => readFromS3(place, storedPath, range),
    settle,
    remove: async (storedPath) => {
      await endUpload(storedPath);
      await removeFromS3(place, [storedPath, `${storedPath}.info`, `${storedPath}.part`]);
    },
    paths: () => keysIn(place),
    write: (storedPath, bytes) => writeToS3(bulk, storedPath, bytes),
    isEmpty: async () => {
      const { Contents: found = [] } = await client.listObjectsV2({ Bucket: bucket, MaxKeys: 2 });
      return found.every(({ Key }) => Key === trialKey);
    },
    isHealthy: async () => {
      const trial = { Bucket: bucket, Key: trialKey };
      await client.putObject({ ...trial, Body: 'ready' });
      await client.deleteObject(trial);
      return true;
    },
  };
}

async function* keysIn({ client, bucket }: Bucket): AsyncGenerator<string> {
  for await (const { Contents: objects = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
    for (const { Key: key } of objects) {
      if (key !== undefined && key !== trialKey) yield key;
    }
  }
}
