import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { dashboardPlaces, dashboardReads, sessionPath } from '#contract/first-reads.ts';
import type { Role } from '#contract/roles.ts';
import { AppError } from '#server/platform/errors.ts';

const builtPages = path.resolve(import.meta.dirname, '../../dist/web');
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const serverPaths = ['/api/', '/functions/', '/demo/', '/assets/', '/metrics/'];
/** The names in web/vite.config.ts of what draws the first screen. The session or the address then tells its page. */
const firstFiles = { signedIn: 'frame', signedOut: 'sign-in' };

interface Visitor {
  /** By their signed cookie. Nobody has asked the database. */
  mayBeSignedIn: boolean;
  /** The role that the browser was told last. */
  lastRole: Role | null;
}

const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    name: z.string().optional(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
  }),
);

/**
 * Serves the built browser app. The app itself routes every path that is neither a file nor an API path. The page names
 * what its first screen needs, so that a browser asks for all of it at once, and for the session beside it.
 */
export async function servePages(
  http: FastifyInstance,
  visitorOf: (request: FastifyRequest) => Visitor,
): Promise<void> {
  await http.register(fastifyStatic, {
    root: builtPages,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, file) {
      const isHashed = file.includes(`${path.sep}assets${path.sep}`);
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  http.setNotFoundHandler((request, reply) => answerUnknownPath(request, reply, visitorOf(request)));
}

async function answerUnknownPath(request: FastifyRequest, reply: FastifyReply, visitor: Visitor) {
  const isPage =
    ['GET', 'HEAD'].includes(request.method) && !serverPaths.some((prefix) => request.url.startsWith(prefix));
  if (!isPage) throw new AppError('not_found', 'There is nothing at this address.');
  const page = await pageNaming(visitor, request.url);
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
  reply.header('vary', 'cookie, accept-encoding');
  // The plugin compresses what routes answer, and a page has none. Every browser of today takes this encoding.
  if (!/\bbr\b/.test(String(request.headers['accept-encoding']))) return reply.send(page);
  return reply.header('content-encoding', 'br').send(brotliCompressSync(page, quickly));
}

/** A new build may replace both files while the server runs. */
async function pageNaming({ mayBeSignedIn, lastRole }: Visitor, address: string): Promise<string> {
  const [page = '', manifest = ''] = await Promise.all(
    ['index.html', 'manifest.json'].map((file) => readFile(path.join(builtPages, file), 'utf8')),
  );
  const name = mayBeSignedIn ? firstFiles.signedIn : firstFiles.signedOut;
  const files = filesOf(name, Manifest.parse(JSON.parse(manifest)));
  const named = files.filter((file) => !page.includes(`"/${file}"`)).map(linkTo);
  const dashboard =
    mayBeSignedIn && lastRole && dashboardPlaces.includes(address) ? dashboardReads[lastRole].path : null;
  const reads = [sessionPath, dashboard].filter((read) => read !== null).map(readLinkTo);
  // The script that takes what the page reads may run as soon as it is named.
  const whole = page.replace('<script', `${reads.join('')}<script`).replace('</head>', `${named.join('')}</head>`);
  return dashboard ? whole.replaceAll('rel="modulepreload"', 'data-rel="modulepreload"') : whole;
}

function filesOf(name: string, manifest: z.infer<typeof Manifest>): string[] {
  const needed = new Set<string>();
  const look = (key: string) => {
    if (needed.has(key)) return;
    needed.add(key);
    manifest[key]?.imports?.forEach(look);
  };
  for (const [key, chunk] of Object.entries(manifest)) if (chunk.name === name) look(key);
  return [...needed].flatMap((key) => [...(manifest[key]?.css ?? []), manifest[key]?.file ?? []].flat());
}

function linkTo(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`;
}

/** web/api/early-answers.ts takes this answer if address, mode and credentials are the same. */
function readLinkTo(address: string): string {
  return `<link rel="preload" as="fetch" fetchpriority="high" crossorigin href="${address}">`;
}
