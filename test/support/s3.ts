import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export interface TestS3 {
  env: Record<string, string>;
  objects: Map<string, Buffer>;
  /** Answers every request with this S3 error code, until it is called with null. */
  failWith(code: string | null): void;
  /**
   * How it fails from now on:
   * - fails: answers 503 and does nothing.
   * - is slow: answers after two seconds.
   * - hangs up: hangs up as soon as it has a part of the request, and does nothing.
   * - does it, then fails: does what was asked and answers 500.
   * - stalls: never answers.
   */
  fault: S3Fault | null;
  /** Requests that it fails at, as `PUT /files/key?query`. The default is all of them. */
  faultOn: RegExp;
  close(): Promise<void>;
}

export type S3Fault = 'fails' | 'is slow' | 'hangs up' | 'does it, then fails' | 'stalls';

interface StoredObject {
  body: Buffer;
  metadata: Record<string, string>;
}

/** The part of S3 that the product uses, in memory, over real HTTP. It does not check signatures. */
export async function startS3(): Promise<TestS3> {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Map<number, Buffer>>();
  let failure: string | null = null;
  let begun = 0;
  const server = createServer((request, response) => {
    if (failure) return fail(response, failure === 'NoSuchBucket' ? 404 : 403, failure);
    misbehave(request, response).catch((error: Error) => fail(response, 500, error.message));
  });

  async function misbehave(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!s3.faultOn.test(`${request.method} ${request.url}`)) return answer(request, response);
    if (s3.fault === 'stalls') return;
    if (s3.fault === 'fails') return fail(response, 503, 'SlowDown');
    if (s3.fault === 'hangs up') return void request.socket.destroy();
    if (s3.fault === 'is slow') await pause(slowMs);
    if (s3.fault !== 'does it, then fails') return answer(request, response);
    await answer(request, new ServerResponse(request));
    fail(response, 500, 'InternalError');
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3');
    const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
    const body = await buffer(request);
    const uploadId = searchParams.get('uploadId');
    if (key === '' && searchParams.has('delete')) return removeMany(body, response);
    if (key === '') return send(response, listing([...objects.keys()], searchParams));
    if (searchParams.has('uploads')) {
      begun += 1;
      const id = `upload-${begun}`;
      uploads.set(id, new Map());
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
    const parts = uploads.get(id);
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
      return send(response, xml('ListPartsResult', `${listed.join('')}<IsTruncated>false</IsTruncated>`));
    }
    uploads.delete(id);
    if (method === 'DELETE') return send(response, '');
    objects.set(key, { body: Buffer.concat(inOrder.map(([, bytes]) => bytes)), metadata: {} });
    return send(response, xml('CompleteMultipartUploadResult', `<Key>${key}</Key>`));
  }

  function removeMany(body: Buffer, response: ServerResponse) {
    for (const [, key] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) objects.delete(key ?? '');
    send(response, xml('DeleteResult', ''));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const s3: TestS3 = {
    fault: null,
    faultOn: /./,
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
    failWith: (code) => {
      failure = code;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return s3;
}

const slowMs = 2_000;

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
