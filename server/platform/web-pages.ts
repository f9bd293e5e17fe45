import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/platform/errors.ts';

const builtPages = path.resolve(import.meta.dirname, '../../dist/web');
const serverPaths = ['/api/', '/functions/', '/demo/', '/assets/'];

/** Serves the built browser app. The app itself routes every path that is neither a file nor an API path. */
export async function servePages(http: FastifyInstance): Promise<void> {
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
  http.setNotFoundHandler(answerUnknownPath);
}

async function answerUnknownPath(request: FastifyRequest, reply: FastifyReply) {
  const isPage =
    ['GET', 'HEAD'].includes(request.method) && !serverPaths.some((prefix) => request.url.startsWith(prefix));
  if (!isPage) throw new AppError('not_found', 'There is nothing at this address.');
  const page = await readFile(path.join(builtPages, 'index.html'));
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
}
