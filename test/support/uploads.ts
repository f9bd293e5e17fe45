import { type ClientRequest, request } from 'node:http';
import { continueUpload, createUpload, type UploadArea } from '#contract/files.ts';
import type { Client } from './app.ts';

export interface UploadFacts {
  area: UploadArea;
  name: string;
  /** The announced length. The default is the content's own. */
  size?: number;
}

/** The headers that the browser's upload client sends with every request. */
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

export interface PartOfUpload {
  id: string;
  bytes: Uint8Array;
  /** How many of the bytes are really sent. */
  sent: number;
  /** Where in the file the bytes begin. The default is its beginning. */
  offset?: number;
}

/** Begins a request that announces all bytes, sends some of them, and leaves it open. */
export function sendPart(url: string, cookie: string, { id, bytes, sent, offset = 0 }: PartOfUpload): ClientRequest {
  const open = request(new URL(addressOf(id), url), {
    method: 'PATCH',
    headers: {
      ...tusHeaders,
      cookie,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes.length,
    },
  });
  // The test wants this request never to end.
  open.on('error', () => undefined);
  open.write(bytes.subarray(0, sent));
  return open;
}

/** Sends a part in the same way, then cuts the connection. */
export async function sendPartAndBreakOff(url: string, cookie: string, part: PartOfUpload): Promise<void> {
  const open = sendPart(url, cookie, part);
  const closed = new Promise<void>((resolve) => open.once('close', resolve));
  await new Promise<void>((resolve) => open.write('', () => resolve()));
  open.destroy();
  await closed;
}

/** Uploads a whole file and returns its id. Throws with the server's refusal. */
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
