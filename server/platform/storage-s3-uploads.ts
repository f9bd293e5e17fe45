import type { Readable } from 'node:stream';
import { type HeadObjectCommandOutput, type Part, S3 } from '@aws-sdk/client-s3';
import { type MetadataValue, S3Store } from '@tus/s3-store';
import { ERRORS, Upload } from '@tus/server';
import type { S3Config } from '#server/config.ts';
import { clientConfigOf, isNoSuchObject, isNoSuchUpload, onceConfigOf } from './s3-client.ts';
import { type Bucket, readFromS3 } from './s3-objects.ts';

/** The parts of the library's store that are called or done otherwise here. */
interface Inside {
  getMetadata(id: string): Promise<MetadataValue>;
  retrieveParts(id: string): Promise<Part[]>;
  clearCache(id: string): Promise<void>;
  finishMultipartUpload(state: MetadataValue, parts: Part[]): Promise<string | undefined>;
  /** Of what lies beside the parts. */
  partKey(id: string, isIncomplete: true): string;
  deleteIncompletePart(id: string): Promise<void>;
}

export interface S3Uploads {
  tusStore: S3Store;
  /** Puts an upload together whose bytes are all there. Does nothing if that is done. */
  settle(id: string): Promise<void>;
  /** Gives up what is under way. Its objects stay. */
  endUpload(id: string): Promise<void>;
}

/** The rest of a piece that is too small for a part lies beside the parts, and says after how many of them it comes. */
const restComesAfter = 'comes-after-part';

/**
 * Uploads whose state is what the bucket holds, whenever its server failed:
 * - Parts are stored one after the other, so what is stored has no hole.
 * - What lies beside the parts stays until a part has its bytes, and counts only after the part that it follows.
 * - An upload is complete if its object is there. A server that could not look says nothing of it.
 */
export function openS3Uploads(config: S3Config, place: Bucket): S3Uploads {
  const { client, bucket } = place;
  const s3ClientConfig = { ...clientConfigOf(config, place.patience), bucket };
  const tusStore = new S3Store({ s3ClientConfig, useTags: false });
  const once = new S3(onceConfigOf(config, place.patience));
  const inside = tusStore as unknown as Inside;
  const getMetadata = inside.getMetadata.bind(tusStore);
  const finishMultipartUpload = inside.finishMultipartUpload.bind(tusStore);

  const sizeOf = async (key: string) => (await findHead(place, key))?.ContentLength ?? null;

  async function stateOf(id: string): Promise<MetadataValue> {
    try {
      return await getMetadata(id);
    } catch (error) {
      throw isNoSuchObject(error) ? ERRORS.FILE_NOT_FOUND : error;
    }
  }

  async function retrieveParts(id: string): Promise<Part[]> {
    const { 'upload-id': uploadId } = await stateOf(id);
    const parts = await listParts(place, { Key: id, UploadId: uploadId });
    // Nobody can tell any more which bytes come after a hole.
    if (parts.some((part, index) => numberOf(part) !== index + 1)) throw ERRORS.FILE_NO_LONGER_EXISTS;
    return parts;
  }

  async function findParts(id: string): Promise<Part[] | null> {
    try {
      return await retrieveParts(id);
    } catch (error) {
      if (isNoSuchUpload(error)) return null;
      throw error;
    }
  }

  async function requireWhole({ file }: MetadataValue): Promise<void> {
    if ((await sizeOf(file.id)) !== file.size) throw ERRORS.FILE_NO_LONGER_EXISTS;
  }

  async function getUpload(id: string): Promise<Upload> {
    const state = await stateOf(id);
    const parts = await findParts(id);
    if (parts)
      return uploadAt(state, sizeOfParts(parts) + (await sizeOfRest(place, inside.partKey(id, true), parts.length)));
    await requireWhole(state);
    return uploadAt(state, state.file.size ?? 0);
  }

  async function finish(state: MetadataValue, parts: Part[]): Promise<string | undefined> {
    if (sizeOfParts(parts) !== state.file.size) throw ERRORS.FILE_NO_LONGER_EXISTS;
    try {
      return await finishMultipartUpload(state, parts);
    } catch (error) {
      if (!isNoSuchUpload(error)) throw error;
      // The server had put it together before, and its answer was lost.
      await requireWhole(state);
      return undefined;
    }
  }

  // A second try would begin a second one if the answer to the first was lost.
  const beginner: S3Store = Object.assign(Object.create(tusStore), { client: once });
  tusStore.create = (upload) => S3Store.prototype.create.call(beginner, upload);
  Object.assign(tusStore, { getUpload, retrieveParts, finishMultipartUpload: finish });
  tusStore.write = (bytes, id, offset) =>
    S3Store.prototype.write.call(writerOf(tusStore, place, once), bytes, id, offset);
  return {
    tusStore,
    settle: async (id) => {
      if ((await sizeOf(id)) !== null) return;
      const state = await stateOf(id);
      await finish(state, await retrieveParts(id));
    },
    endUpload: async (id) => {
      // Its state names one. A beginning whose answer was lost may have left others.
      const { Uploads: uploads = [] } = await client.listMultipartUploads({ Bucket: bucket, Prefix: id });
      for (const { Key, UploadId } of uploads) if (Key === id) await abortUpload(place, id, UploadId);
      await inside.clearCache(id);
    },
  };
}

/** A store for one write, which knows what that write has stored. */
function writerOf(tusStore: S3Store, place: Bucket, once: S3): S3Store {
  const { bucket } = place;
  const inside = tusStore as unknown as Inside;
  const stored: Promise<unknown>[] = [];
  let partsBefore = 0;
  let parts = 0;
  let hasRest = false;

  /** A piece whose forerunner failed fails too. */
  async function inOrder<Result>(bytes: Readable | Buffer, store: () => Promise<Result>): Promise<Result> {
    const forerunner = stored.at(-1);
    const storing = Promise.resolve(forerunner).then(store);
    stored.push(storing);
    try {
      return await storing;
    } finally {
      // A piece that was not sent would keep its file open.
      if (!Buffer.isBuffer(bytes)) bytes.destroy();
    }
  }

  const changes = {
    // One piece arrives while the one before it is stored.
    partUploadSemaphore: { acquire: async () => void (await stored.at(-2)) },
    retrieveParts: async (id: string) => {
      const found = await inside.retrieveParts(id);
      partsBefore = found.length;
      return found;
    },
    getIncompletePart: async (id: string) => {
      const rest = await readRest(place, inside.partKey(id, true), partsBefore);
      hasRest = rest !== undefined;
      return rest;
    },
    // It stays until a part has its bytes.
    deleteIncompletePart: async () => undefined,
    uploadPart: async ({ file, 'upload-id': uploadId }: MetadataValue, bytes: Readable | Buffer, number: number) => {
      parts = number;
      const input = { Bucket: bucket, Key: file.id, UploadId: uploadId, PartNumber: number, Body: bytes };
      return inOrder(bytes, async () => {
        const { ETag } = await once.uploadPart(input);
        if (hasRest && number === partsBefore + 1) await inside.deleteIncompletePart(file.id);
        return ETag;
      });
    },
    uploadIncompletePart: async (id: string, bytes: Readable) => {
      const Metadata = { [restComesAfter]: String(Math.max(parts, partsBefore)) };
      const input = { Bucket: bucket, Key: inside.partKey(id, true), Body: bytes, Metadata };
      return (await inOrder(bytes, () => once.putObject(input))).ETag;
    },
  };
  return Object.assign(Object.create(tusStore), changes);
}

/** Some servers name a next page though none comes, so the library's own pages would never end. */
async function listParts({ client, bucket }: Bucket, upload: { Key: string; UploadId: string }): Promise<Part[]> {
  const parts: Part[] = [];
  let after: string | undefined;
  do {
    const page = await client.listParts({ Bucket: bucket, ...upload, PartNumberMarker: after });
    parts.push(...(page.Parts ?? []));
    after = page.IsTruncated ? page.NextPartNumberMarker : undefined;
  } while (after);
  return parts.toSorted((left, right) => numberOf(left) - numberOf(right));
}

async function abortUpload({ client, bucket }: Bucket, id: string, uploadId?: string): Promise<void> {
  try {
    await client.abortMultipartUpload({ Bucket: bucket, Key: id, UploadId: uploadId });
  } catch (error) {
    if (!isNoSuchUpload(error)) throw error;
  }
}

function uploadAt({ file }: MetadataValue, offset: number): Upload {
  const { id, size, metadata, creation_date, storage } = file;
  return new Upload({ id, size, offset, metadata, creation_date, storage });
}

async function sizeOfRest(place: Bucket, key: string, parts: number): Promise<number> {
  const rest = await findHead(place, key);
  return rest && comesAfter(rest, parts) ? (rest.ContentLength ?? 0) : 0;
}

async function readRest(place: Bucket, key: string, parts: number): Promise<Readable | undefined> {
  if ((await sizeOfRest(place, key, parts)) === 0) return undefined;
  return (await readFromS3(place, key))?.stream;
}

/** An earlier version did not write it down. */
function comesAfter({ Metadata: { [restComesAfter]: number } = {} }: HeadObjectCommandOutput, parts: number): boolean {
  return number === undefined || Number(number) === parts;
}

async function findHead({ client, bucket }: Bucket, key: string) {
  try {
    return await client.headObject({ Bucket: bucket, Key: key });
  } catch (error) {
    if (isNoSuchObject(error)) return null;
    throw error;
  }
}

function sizeOfParts(parts: Part[]): number {
  return parts.reduce((sum, { Size }) => sum + (Size ?? 0), 0);
}

function numberOf({ PartNumber }: Part): number {
  return PartNumber ?? 0;
}
