import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '#server/platform/errors.ts';

const builtPages = path.resolve(import.meta.dirname, '../../dist/web');
const serverPaths = ['/api/', '/functions/', '/demo/', '/assets/', '/metrics/'];
/** The names in web/vite.config.ts of what draws the first screen. The session or the address then tells its page. */
const firstFiles = { signedIn: 'frame', signedOut: 'sign-in' };

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
  mayBeSignedIn: (request: FastifyRequest) => boolean,
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
  http.setNotFoundHandler((request, reply) => answerUnknownPath(request, reply, mayBeSignedIn(request)));
}

async function answerUnknownPath(request: FastifyRequest, reply: FastifyReply, isSignedIn: boolean) {
  const isPage =
    ['GET', 'HEAD'].includes(request.method) && !serverPaths.some((prefix) => request.url.startsWith(prefix));
  if (!isPage) throw new AppError('not_found', 'There is nothing at this address.');
  const page = await pageNaming(isSignedIn ? firstFiles.signedIn : firstFiles.signedOut);
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').header('vary', 'cookie').send(page);
}

/** A new build may replace both files while the server runs. */
async function pageNaming(name: string): Promise<string> {
  const [page = '', manifest = ''] = await Promise.all(
    ['index.html', 'manifest.json'].map((file) => readFile(path.join(builtPages, file), 'utf8')),
  );
  const files = filesOf(name, Manifest.parse(JSON.parse(manifest)));
  const named = files.filter((file) => !page.includes(`"/${file}"`)).map(linkTo);
  return page.replace('</head>', `${named.join('')}${sessionLink}</head>`);
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

/** The call in web/api/call.ts takes this answer if address, mode and credentials are the same. */
const sessionLink = '<link rel="preload" as="fetch" crossorigin href="/api/session">';
