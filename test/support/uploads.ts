import { request } from 'node:http';
import { continueUpload, createUpload, type UploadArea } from '#contract/files.ts';
import type { Client } from './app.ts';

export interface UploadFacts {
  area: UploadArea;
  name: string;
  /** The length that is announced; the content's own unless given. */
  size?: number;
}

/** What the browser's upload client sends with every request. */
export const tusHeaders = { 'tus-resumable': '1.0.0', 'x-requested-with': 'XMLHttpRequest' };

/** The first request of an upload. */
export function beginUpload(client: Client, { area, name, size = 0 }: UploadFacts): Promise<Response> {
  const metadata = `filename ${toBase64(name)},area ${toBase64(area)}`;
  return client.fetch(createUpload.path, {
    method: 'POST',
    headers: { ...tusHeaders, 'upload-length': String(size), 'upload-metadata': metadata },
  });
}

export function sendBytes(
  client: Client,
  id: string,
  offset: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  return client.fetch(addressOf(id), {
    method: 'PATCH',
    headers: { ...tusHeaders, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body: bytes,
  });
}

export function askOffset(client: Client, id: string): Promise<Response> {
  return client.fetch(addressOf(id), { method: 'HEAD', headers: tusHeaders });
}

/** Sends the beginning of a request that announces all bytes, then cuts the connection. */
export async function sendBytesAndBreakOff(
  url: string,
  cookie: string,
  { id, bytes, sent }: { id: string; bytes: Uint8Array; sent: number },
): Promise<void> {
  const broken = request(new URL(addressOf(id), url), {
    method: 'PATCH',
    headers: {
      ...tusHeaders,
      cookie,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes.length,
    },
  });
  const closed = new Promise<void>((resolve) => broken.once('close', resolve));
  // Breaking off is itself reported as an error of the request.
  broken.on('error', () => undefined);
  await new Promise<void>((resolve) => broken.write(bytes.subarray(0, sent), () => resolve()));
  broken.destroy();
  await closed;
}

/** A whole upload; returns the file's id, and throws with the server's refusal. */
export async function uploadFile(client: Client, facts: UploadFacts, content: Uint8Array | string): Promise<string> {
  const bytes = new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content);
  const begun = await beginUpload(client, { ...facts, size: bytes.length });
  if (begun.status !== 201) throw new Error(`${begun.status} ${await begun.text()}`);
  const id = idOf(begun);
  const sent = await sendBytes(client, id, 0, bytes);
  if (sent.status !== 204) throw new Error(`${sent.status} ${await sent.text()}`);
  return id;
}

export function idOf(begun: Response): string {
  return begun.headers.get('location')?.split('/').at(-1) ?? '';
}

function addressOf(id: string): string {
  return continueUpload.path.replace(':id', id);
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
