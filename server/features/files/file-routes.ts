import { downloadFile } from '#contract/files.ts';
import type { App } from '#server/platform/app-parts.ts';
import { serveStream } from '#server/platform/serve.ts';
import { loadFileFor } from './file-access.ts';
import { sendFile } from './file-downloads.ts';
import { uploadRoutes } from './upload-routes.ts';

export function fileRoutes(app: App): void {
  uploadRoutes(app);
  serveStream(app, downloadFile, async ({ db, actor, params, query, request, reply }) => {
    const file = await loadFileFor(db, actor, { id: params.id });
    return sendFile(app.storage, file, { isInline: query.inline === '1', range: request.headers.range, reply });
  });
}
