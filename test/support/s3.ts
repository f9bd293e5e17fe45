import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export interface TestS3 {
  env: Record<string, string>;
  objects: Map<string, Buffer>;
  /** The keys of multipart uploads that were neither put together nor given up. */
  openUploads(): string[];
  uploadIdOf(key: string): string | undefined;
  /** Answers every request with this S3 error code, until it is called with null. */
  failWith(code: string | null): void;
  /** Fails the requests for which this returns how, until it is called with null. */
  failWhen(fails: ((asked: AskedOfS3) => S3Failure | null) | null): void;
  close(): Promise<void>;
}

export interface AskedOfS3 {
  method: string;
  key: string;
  /** `uploads` begins a multipart upload, `uploadId` belongs to one, `partNumber` stores a part. */
  search: URLSearchParams;
}

/**
 * - `refuse`: it has trouble of its own, and does nothing.
 * - `lose`: it does what was asked, and dies before it answers.
 * - `hang`: it keeps the connection, and neither does nor answers anything.
 * - `hang up`: it ends the connection, and does nothing.
 * - `be slow`: it does what was asked after two seconds.
 */
export type S3Failure = 'refuse' | 'lose' | 'hang' | 'hang up' | 'be slow';
const slowMs = 2_000;

interface OpenUpload {
  key: string;
  parts: Map<number, Buffer>;
}

interface StoredObject {
  body: Buffer;
  metadata: Record<string, string>;
}

/** The part of S3 that the product uses, in memory, over real HTTP. It does not check signatures. */
export async function startS3(): Promise<TestS3> {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, OpenUpload>();
  let failure: string | null = null;
  let failureOf: ((asked: AskedOfS3) => S3Failure | null) | null = null;
  let begun = 0;
  const server = createServer((request, response) => {
    if (failure) return fail(response, failure === 'NoSuchBucket' ? 404 : 403, failure);
    const asked = askedBy(request);
    const how = failureOf?.(asked) ?? null;
    if (how === 'hang') return;
    if (how === 'hang up') return void request.socket.destroy();
    if (how === 'refuse') return fail(response, 500, 'InternalError');
    if (how === 'lose') response.end = () => response.destroy();
    pause(how === 'be slow' ? slowMs : 0)
      .then(() => answer(request, response, asked))
      .catch((error: Error) => fail(response, 500, error.message));
  });

  async function answer(request: IncomingMessage, response: ServerResponse, { key, search: searchParams }: AskedOfS3) {
    const body = await buffer(request);
    const uploadId = searchParams.get('uploadId');
    if (key === '' && searchParams.has('delete')) return removeMany(body, response);
    if (key === '' && searchParams.has('uploads')) return send(response, listingOfUploads(uploads, searchParams));
    if (key === '') return send(response, listing([...objects.keys()], searchParams));
    if (searchParams.has('uploads')) {
      begun += 1;
      const id = `upload-${begun}`;
      uploads.set(id, { key, parts: new Map() });
      return send(response, xml('InitiateMultipartUploadResult', `<Key>${key}</Key><UploadId>${id}</UploadId>`));
    }
    if (uploadId !== null) return answerPart(request.method, uploadId, key, searchParams, body, response);
    if (request.method === 'PUT') {
      objects.set(key, { body, metadata: metadataOf(request) });
      return send(response, '', { etag: etagOf(body) });
    }
    const stored = objects.get(key);
    if (request.method === 'DELETE') objects.delete(key);
    else if (!stored) return fail(response, 404, 'NoSuchKey');
    else return sendObject(request, response, stored);
    return send(response, '');
  }

  function answerPart(
    method: string | undefined,
    id: string,
    key: string,
    search: URLSearchParams,
    body: Buffer,
    response: ServerResponse,
  ) {
    const parts = uploads.get(id)?.parts;
    if (!parts) return fail(response, 404, 'NoSuchUpload');
    const number = Number(search.get('partNumber'));
    if (method === 'PUT') {
      parts.set(number, body);
      return send(response, '', { etag: etagOf(body) });
    }
    const inOrder = [...parts].toSorted(([left], [right]) => left - right);
    if (method === 'GET') {
      const listed = inOrder.map(
        ([part, bytes]) =>
          `<Part><PartNumber>${part}</PartNumber><ETag>${etagOf(bytes)}</ETag><Size>${bytes.length}</Size></Part>`,
      );
      return send(response, xml('ListPartsResult', `${listed.join('')}${lastPage}`));
    }
    if (method === 'DELETE') {
      uploads.delete(id);
      return send(response, '');
    }
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, each]) => Number(each));
    const chosen = named.map((each) => parts.get(each));
    if (chosen.some((bytes) => bytes === undefined)) return fail(response, 400, 'InvalidPart');
    uploads.delete(id);
    objects.set(key, { body: Buffer.concat(chosen.flatMap((bytes) => bytes ?? [])), metadata: {} });
    return send(response, xml('CompleteMultipartUploadResult', `<Key>${key}</Key>`));
  }

  function removeMany(body: Buffer, response: ServerResponse) {
    for (const [, key] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) objects.delete(key ?? '');
    send(response, xml('DeleteResult', ''));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'files',
      S3_ACCESS_KEY_ID: 'test',
      S3_SECRET_ACCESS_KEY: 'test-secret',
      S3_FORCE_PATH_STYLE: '1',
    },
    get objects() {
      return new Map([...objects].map(([key, { body }]) => [key, body]));
    },
    openUploads: () => [...uploads.values()].map(({ key }) => key),
    uploadIdOf: (key) => [...uploads].find(([, upload]) => upload.key === key)?.[0],
    failWhen: (fails) => {
      failureOf = fails;
    },
    failWith: (code) => {
      failure = code;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Ceph names a next page though none comes. */
const lastPage = '<NextPartNumberMarker>0</NextPartNumberMarker><IsTruncated>false</IsTruncated>';

function askedBy({ method = '', url = '/' }: IncomingMessage): AskedOfS3 {
  const { pathname, searchParams: search } = new URL(url, 'http://s3');
  return { method, key: decodeURIComponent(pathname.split('/').slice(2).join('/')), search };
}

function listingOfUploads(uploads: Map<string, OpenUpload>, search: URLSearchParams): string {
  const found = [...uploads].filter(([, { key }]) => key.startsWith(search.get('prefix') ?? ''));
  const listed = found.map(([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
  return xml('ListMultipartUploadsResult', `${listed.join('')}<IsTruncated>false</IsTruncated>`);
}

/** With a delimiter, what lies deeper is listed by its folder alone. */
function listing(keys: string[], search: URLSearchParams): string {
  const prefix = search.get('prefix') ?? '';
  const delimiter = search.get('delimiter');
  const below = keys.filter((key) => key.startsWith(prefix)).toSorted();
  const folderOf = (key: string) => {
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
    return end === -1 ? null : key.slice(0, end + 1);
  };
  const folders = new Set(below.flatMap((key) => folderOf(key) ?? []));
  const found = below.filter((key) => folderOf(key) === null).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  const deeper = [...folders].map((folder) => `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`);
  return xml('ListBucketResult', `${found.join('')}${deeper.join('')}<IsTruncated>false</IsTruncated>`);
}

function sendObject(request: IncomingMessage, response: ServerResponse, { body, metadata }: StoredObject) {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const part = start === undefined ? body : body.subarray(Number(start), Number(end) + 1);
  response.writeHead(start === undefined ? 200 : 206, {
    'content-length': part.length,
    etag: etagOf(body),
    ...(start === undefined
      ? {}
      : { 'content-range': `bytes ${start}-${Number(start) + part.length - 1}/${body.length}` }),
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
  });
  response.end(request.method === 'HEAD' ? undefined : part);
}

function metadataOf(request: IncomingMessage): Record<string, string> {
  const found = Object.entries(request.headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  return Object.fromEntries(found.map(([name, value]) => [name.slice('x-amz-meta-'.length), String(value)]));
}

function etagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function xml(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name}>${content}</${name}>`;
}

function send(response: ServerResponse, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

function fail(response: ServerResponse, status: number, code: string): void {
  const body = xml('Error', `<Code>${code}</Code><Message>${code}</Message>`);
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
