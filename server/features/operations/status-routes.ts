import { readStatus } from '#contract/operations.ts';
import type { App } from '#server/platform/app-parts.ts';
import { serve } from '#server/platform/serve.ts';
import { findStatus } from './status-queries.ts';

export function statusRoutes(app: App): void {
  serve(app, readStatus, ({ app: part }) => findStatus(part));
}
