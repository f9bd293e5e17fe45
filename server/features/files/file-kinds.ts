import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileTypeFromStream } from 'file-type';
import { extensionOf } from '#contract/files.ts';
import type { Storage } from '#server/platform/storage-shape.ts';

interface FileKind {
  mimeType: string;
  /** The content of such a file may be recognized as these. Text has no marks to recognize. */
  recognisedAs: string[] | 'svg' | 'text';
  /** True if it is shown in place when asked for. Nothing that could run in a browser is. */
  isShownInPlace: boolean;
}

const image = (mimeType: string, ...recognisedAs: string[]) => ({ mimeType, recognisedAs, isShownInPlace: true });
const plain = (mimeType: string, ...recognisedAs: string[]) => ({ mimeType, recognisedAs, isShownInPlace: false });
const video = ['mp4', 'm4v', 'mov'];
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const kinds: Record<string, FileKind> = {
  pdf: { mimeType: 'application/pdf', recognisedAs: ['pdf'], isShownInPlace: true },
  doc: plain('application/msword', 'cfb', 'doc'),
  docx: plain(docx, 'docx'),
  txt: { mimeType: 'text/plain; charset=utf-8', recognisedAs: 'text', isShownInPlace: false },
  jpg: image('image/jpeg', 'jpg'),
  jpeg: image('image/jpeg', 'jpg'),
  png: image('image/png', 'png', 'apng'),
  gif: image('image/gif', 'gif'),
  bmp: image('image/bmp', 'bmp'),
  webp: image('image/webp', 'webp'),
  svg: { mimeType: 'image/svg+xml', recognisedAs: 'svg', isShownInPlace: false },
  mp4: plain('video/mp4', ...video),
  mov: plain('video/quicktime', ...video),
  avi: plain('video/x-msvideo', 'avi'),
  zip: plain('application/zip', 'zip', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'jar', 'apk'),
  rar: plain('application/vnd.rar', 'rar'),
};

/** This is enough to tell text and svg from anything else. */
const headBytes = 64 * 1024;

export function mimeTypeOf(fileName: string): string {
  return kindOf(fileName)?.mimeType ?? 'application/octet-stream';
}

export function isShownInPlace(fileName: string): boolean {
  return kindOf(fileName)?.isShownInPlace ?? false;
}

/** True if the stored bytes are what the name says. */
export async function isContentAsNamed(storage: Storage, path: string, fileName: string): Promise<boolean> {
  const kind = kindOf(fileName);
  if (!kind) return false;
  if (kind.recognisedAs === 'svg') return isSvg(await readHead(storage, path));
  if (kind.recognisedAs === 'text') return isText(await readHead(storage, path));
  const found = await recognise(storage, path);
  return found !== undefined && kind.recognisedAs.includes(found);
}

function kindOf(fileName: string): FileKind | undefined {
  return kinds[extensionOf(fileName)];
}

async function recognise(storage: Storage, path: string): Promise<string | undefined> {
  const { stream } = await readStored(storage, path);
  try {
    return (await fileTypeFromStream(Readable.toWeb(stream)))?.ext;
  } finally {
    stream.destroy();
  }
}

async function readHead(storage: Storage, path: string): Promise<Buffer> {
  const { stream } = await readStored(storage, path, { start: 0, end: headBytes - 1 });
  return buffer(stream);
}

async function readStored(storage: Storage, path: string, range?: { start: number; end: number }) {
  const stored = await storage.read(path, range);
  if (!stored) throw new Error('A finished upload is not in the storage.');
  return stored;
}

/** These may come before the first element: a byte-order mark, an XML declaration, a document type, comments. */
const beforeFirstElement = /\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+svg[^[>]*(\[[\s\S]*?\]\s*)?>/giy;

/** It replaces piece by piece, because one pattern for all of them would try a file of a few hundred bytes forever. */
function isSvg(head: Buffer): boolean {
  return isText(head) && /^<svg[\s>]/i.test(head.toString('utf8').replace(beforeFirstElement, ''));
}

/** Text never holds certain bytes. UTF-16 is full of zeros, and its byte-order mark tells it. */
function isText(head: Buffer): boolean {
  const isUtf16 = head.length >= 2 && (head.readUInt16BE(0) === 0xfeff || head.readUInt16BE(0) === 0xfffe);
  return isUtf16 || !head.some((byte) => byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27);
}
