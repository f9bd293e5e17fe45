import { S3 } from '@aws-sdk/client-s3';
import type { S3Config } from '#server/config.ts';
import { clientConfigOf, patienceOfCommands } from '#server/platform/s3-client.ts';
import { readFromS3, removeFromS3, writeToS3 } from '#server/platform/s3-objects.ts';
import { manifestPart } from './backup-manifest.ts';
import type { BackupPlace } from './backup-place.ts';

/** A bucket cannot rename. So the manifest comes last, and what has none is no backup. */
export function openS3Place(config: S3Config, prefix: string): BackupPlace {
  const { bucket } = config;
  const client = new S3(clientConfigOf(config, patienceOfCommands));
  const place = { client, bucket, patience: patienceOfCommands };
  const root = prefix === '' ? '' : `${prefix}/`;
  const keyOf = (backup: string, part: string) => `${root}${backup === '' ? '' : `${backup}/`}${part}`;

  async function* keysBelow(start: string): AsyncGenerator<string[]> {
    let after: string | undefined;
    do {
      const page = await client.listObjectsV2({ Bucket: bucket, Prefix: start, ContinuationToken: after });
      yield (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
      after = page.NextContinuationToken;
    } while (after);
  }

  async function* namesBelow(): AsyncGenerator<string> {
    let after: string | undefined;
    do {
      const page = await client.listObjectsV2({
        Bucket: bucket,
        Prefix: root,
        Delimiter: '/',
        ContinuationToken: after,
      });
      for (const { Prefix: below = '' } of page.CommonPrefixes ?? []) yield below.slice(root.length, -1);
      after = page.NextContinuationToken;
    } while (after);
  }

  return {
    shown: `s3://${bucket}/${root}`,
    write: (backup, part, bytes) => writeToS3(place, keyOf(backup, part), bytes),
    read: async (backup, part) => (await readFromS3(place, keyOf(backup, part)))?.stream ?? null,
    finish: async (backup, manifest) => {
      await client.putObject({ Bucket: bucket, Key: keyOf(backup, manifestPart), Body: manifest });
    },
    findWhole: async () => {
      const whole: string[] = [];
      for await (const name of namesBelow()) {
        const manifest = await readFromS3(place, keyOf(name, manifestPart));
        manifest?.stream.destroy();
        if (manifest) whole.push(name);
      }
      return whole.toSorted();
    },
    remove: async (backup) => {
      await removeFromS3(place, [keyOf(backup, manifestPart)]);
      for await (const keys of keysBelow(keyOf(backup, ''))) await removeFromS3(place, keys);
    },
  };
}
