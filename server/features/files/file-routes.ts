import { downloadFile } from '#contract/files.ts';
import { deleteUserFile, listUserFiles } from '#contract/user-files.ts';
import type { App } from '#server/platform/app-parts.ts';
import { serve, serveStream } from '#server/platform/serve.ts';
import { loadFileFor } from './file-access.ts';
import { sendFile } from './file-downloads.ts';
import { findUserFiles } from './user-file-queries.ts';
import * as userFiles from './user-files.ts';

export function fileRoutes(app: App): void {
  serveStream(app, downloadFile, async ({ db, actor, params, query, request, reply }) => {
    const file = await loadFileFor(db, actor, { id: params.id });
    return sendFile(app.storage, file, { isInline: query.inline === '1', request, reply });
  });
  serve(app, listUserFiles, async ({ db, actor, query }) => ({
    ...(await findUserFiles(db, actor, query)),
    allowedBytes: app.config.fileSpaceInBytes,
  }));
  serve(app, deleteUserFile, async ({ db, actor, params }) => {
    await userFiles.deleteUserFile(db, actor, params.id);
    return { done: true as const };
  });
}
