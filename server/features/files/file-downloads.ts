import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#server/platform/errors.ts';
import { isKnownTag } from '#server/platform/known-tags.ts';
import type { ByteRange, Storage, StoredBytes } from '#server/platform/storage-shape.ts';
import type { StoredFile } from './file-access.ts';
import { isShownInPlace } from './file-kinds.ts';
import { pathVariantsOf } from './path-variants.ts';

interface SendOptions {
  isInline: boolean;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Sends a file so that nothing in it can run in the product's origin (SEC-19, FILES-21). The caller has found it
 * through what the person may see. The browser keeps it, and asks at every use whether its person may still have it, so
 * the next person of the same browser gets nothing. The bytes of a file never change, so its id is their tag.
 */
export async function sendFile(storage: Storage, file: StoredFile, { isInline, request, reply }: SendOptions) {
  const tag = `"${file.id}"`;
  reply.header('cache-control', 'private, no-cache').header('etag', tag);
  if (isKnownTag(request, tag)) return reply.code(304).send();
  const wanted = readRange(request.headers.range, file.size);
  const stored = await readAtAnyPath(storage, pathVariantsOf(file), wanted ?? undefined);
  if (!stored) throw notFound('File not found in storage. It may have been moved or deleted.');
  const isShown = isInline && isShownInPlace(file.displayName);
  reply
    .type(file.mimeType)
    .header('content-disposition', `${isShown ? 'inline' : 'attachment'}; ${nameParameters(file.displayName)}`)
    .header('content-security-policy', isShown ? policyFor(file) : "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('accept-ranges', 'bytes');
  if (wanted) {
    reply.code(206).header('content-range', `bytes ${wanted.start}-${wanted.end}/${stored.size}`);
  }
  reply.header('content-length', wanted ? wanted.end - wanted.start + 1 : stored.size);
  return reply.send(stored.stream);
}

async function readAtAnyPath(storage: Storage, paths: string[], range?: ByteRange): Promise<StoredBytes | null> {
  const [path, ...others] = paths;
  if (path === undefined) return null;
  return (await storage.read(path, range)) ?? readAtAnyPath(storage, others, range);
}

/** Browsers refuse to show a PDF in a sandbox. Their PDF viewer isolates itself from the page's origin. */
function policyFor(file: StoredFile): string {
  return file.mimeType === 'application/pdf'
    ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
    : "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'";
}

function nameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Reads one range of bytes. Any other header asks for the whole file. */
function readRange(header: string | undefined, size: number): ByteRange | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : null;
}
