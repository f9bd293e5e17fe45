import type { IncomingMessage } from 'node:http';
import { Server, type ServerOptions, TUS_RESUMABLE } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorStatus } from '#contract/errors.ts';
import { cancelUpload, continueUpload, createUpload } from '#contract/files.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { AppError, notFound, problemFor } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { endWithSession } from '#server/platform/open-connections.ts';
import { requirePermission, serveStream } from '#server/platform/serve.ts';
import { storageRefusal, withStorageRefusals } from '#server/platform/storage-errors.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { createUploadLocks } from '#server/platform/upload-locks.ts';
import {
  abandonUpload,
  beginUpload,
  continueOwnUpload,
  finishUpload,
  giveUpUpload,
  loadOwnUpload,
  readArea,
  storedPathOf,
} from './uploads.ts';

/** Says what a request may touch. It is decided before the protocol library sees the request. */
interface UploadRequest {
  actor: Actor;
  requestId: string;
  id: string;
  /** It is null for the request that creates the upload. */
  path: string | null;
  /** True once this request has written the upload down. */
  hasBegun?: boolean;
}

type TusRequest = Parameters<NonNullable<ServerOptions['onIncomingRequest']>>[0];

const requests = new WeakMap<IncomingMessage, UploadRequest>();

/** Serves resumable uploads by the tus protocol. The library moves the bytes, and the acts decide. */
export function uploadRoutes(app: App): void {
  const tus = createTusServer(app);
  app.http.register(async (scope) => {
    // The protocol library reads the body itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const scoped = { ...app, http: scope };

    serveStream(scoped, createUpload, async ({ actor, request, reply }) => {
      requireOwnClient(request);
      await handOver(app, tus, request, reply, { actor, requestId: request.id, id: newId(), path: null });
    });
    serveStream(scoped, continueUpload, async ({ actor, params, request, reply }) => {
      requireOwnClient(request);
      const { id, path } = await continueOwnUpload(app.db, actor, params.id);
      await handOver(app, tus, request, reply, { actor, requestId: request.id, id, path });
    });
    serveStream(scoped, cancelUpload, async ({ actor, params, request, reply }) => {
      requireOwnClient(request);
      await giveUpUpload(app.db, app.storage, actor, params.id);
      return reply.code(204).header('tus-resumable', TUS_RESUMABLE).send();
    });
    scope.head<{ Params: { id: string } }>(continueUpload.path, async (request, reply) => {
      const actor = requirePermission(await app.sessions.identify(request), 'files.upload');
      const id = z.uuid().safeParse(request.params.id);
      if (!id.success) throw notFound('We cannot find this upload.');
      const upload = await continueOwnUpload(app.db, actor, id.data);
      await finishInterrupted(app, upload);
      await handOver(app, tus, request, reply, { actor, requestId: request.id, id: upload.id, path: upload.path });
    });
  });
}

/** Requires a header that no form and no foreign page can send. */
function requireOwnClient(request: FastifyRequest): void {
  if (request.headers['x-requested-with'] === undefined) {
    throw new AppError('csrf_refused', 'Uploads need the header X-Requested-With.');
  }
}

/**
 * If the server died between the last byte and the check, a client that asks where to go on would otherwise be stuck.
 */
async function finishInterrupted(app: App, upload: Awaited<ReturnType<typeof loadOwnUpload>>): Promise<void> {
  if (upload.isComplete) return;
  const stored = await withStorageRefusals(app.storage.tusStore.getUpload(upload.path)).catch((error: unknown) => {
    if (isTusError(error) && (error.status_code === 404 || error.status_code === 410)) return null;
    throw error;
  });
  if (stored?.offset === upload.size) await finishUpload(app.db, app.storage, upload);
}

async function handOver(
  app: App,
  tus: Server,
  request: FastifyRequest,
  reply: FastifyReply,
  upload: UploadRequest,
): Promise<void> {
  requests.set(request.raw, upload);
  // No hook sees what the library answers.
  reply.raw.setHeader('cache-control', 'no-store');
  reply.hijack();
  const unwatch = endWithSession(app, request, upload.actor, () => request.raw.socket.destroy());
  await tus.handle(request.raw, reply.raw).finally(unwatch);
}

function createTusServer(app: App): Server {
  return new Server({
    path: createUpload.path,
    datastore: app.storage.tusStore,
    locker: createUploadLocks(app),
    relativeLocation: true,
    // No other origin may read the answers.
    allowedOrigins: () => false,
    namingFunction: (request, metadata) => {
      const { actor, id } = uploadOf(request);
      return storedPathOf(readArea(metadata?.area ?? ''), actor.id, id, metadata?.filename ?? '');
    },
    generateUrl: (request, { path }) => `${path}/${uploadOf(request).id}`,
    getFileIdFromRequest: (request) => uploadOf(request).path ?? undefined,
    onUploadCreate: async (request, upload) => {
      const { actor, id } = uploadOf(request);
      if (upload.size === undefined) throw new AppError('invalid_input', 'An upload needs its length.');
      const { filename, area } = upload.metadata ?? {};
      const wish = { fileName: filename ?? '', area: area ?? '', size: upload.size };
      const place = { id, path: upload.id };
      await inTransaction(app.db, (db) => beginUpload(db, actor, place, wish, app.config));
      uploadOf(request).hasBegun = true;
      return {};
    },
    onUploadFinish: async (request) => {
      const { actor, id } = uploadOf(request);
      await finishUpload(app.db, app.storage, await loadOwnUpload(app.db, actor, id));
      return {};
    },
    onResponseError: async (request, error) => {
      const { requestId, id, hasBegun } = uploadOf(request);
      if (hasBegun) await abandonOrLeave(app, id, requestId);
      const refusal = error instanceof AppError ? error : storageRefusal(error);
      if (refusal) {
        if (refusal.cause) app.http.log.error({ err: refusal.cause, requestId }, 'an upload was refused');
        const problem = problemFor(refusal.code, refusal.message, requestId, refusal.fieldErrors);
        return { status_code: errorStatus[refusal.code], body: JSON.stringify(problem) };
      }
      if (isTusError(error)) return undefined;
      app.http.log.error({ err: error, requestId }, 'an upload failed');
      const problem = problemFor('internal', 'The upload failed. Please try again.', requestId, null);
      return { status_code: errorStatus.internal, body: JSON.stringify(problem) };
    },
  });
}

/** The library answers nothing at all if this throws. A row that stays is removed with the abandoned ones. */
async function abandonOrLeave(app: App, id: string, requestId: string): Promise<void> {
  await inTransaction(app.db, (db) => abandonUpload(db, id)).catch((error: unknown) =>
    app.http.log.error({ err: error, requestId }, 'an upload that never began was left to the job'),
  );
}

function uploadOf(request: TusRequest): UploadRequest {
  const raw = request.runtime?.node?.req;
  const upload = raw && requests.get(raw as IncomingMessage);
  if (!upload) throw new Error('An upload reached the protocol library past its route.');
  return upload;
}

function isTusError(error: unknown): error is { status_code: number; body: string } {
  return typeof error === 'object' && error !== null && 'status_code' in error && 'body' in error;
}
