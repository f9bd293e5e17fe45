import { readHealth, readReadiness } from '#contract/health.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { writeForTrial } from '#server/platform/trial-write.ts';

type Health = 'ok' | 'failed';

/** Every answer comes within two seconds. */
const answerLimitInMs = 1_500;
const keptForMs = 1_000;

/** `areJobsHealthy` is null in a process that runs none. */
export function healthRoutes(app: App, areJobsHealthy: () => boolean | null): void {
  const checkDatabase = sharedCheck(app, 'database', () => writeForTrial(app.db));
  const checkStorage = sharedCheck(app, 'storage', () => app.storage.isHealthy());
  serve(app, readHealth, async () => ({ status: 'ok' as const }));
  serve(app, readReadiness, async ({ reply }) => {
    const [database, storage] = await Promise.all([checkDatabase(), checkStorage()]);
    const jobs = areJobsHealthy() === false ? 'failed' : 'ok';
    const status = database === 'ok' && storage === 'ok' && jobs === 'ok' ? 'ok' : 'failed';
    if (status === 'failed') reply.code(503);
    return { status, database, storage, jobs } as const;
  });
}

/**
 * Runs one check at a time and keeps its result for a moment, so strangers may ask as often as they like. A check that
 * hangs has failed.
 */
function sharedCheck(app: App, part: string, check: () => Promise<unknown>): () => Promise<Health> {
  let latest: Promise<Health> | null = null;
  const forget = () => {
    latest = null;
  };
  return () => {
    latest ??= answers(app, part, check).finally(() => setTimeout(forget, keptForMs).unref());
    return withinLimit(latest);
  };
}

async function answers({ http }: App, part: string, check: () => Promise<unknown>): Promise<Health> {
  try {
    return (await check()) === false ? 'failed' : 'ok';
  } catch (error) {
    http.log.error({ err: error, part }, 'not ready');
    return 'failed';
  }
}

async function withinLimit(checked: Promise<Health>): Promise<Health> {
  let limit: NodeJS.Timeout | undefined;
  const isOver = new Promise<Health>((resolve) => {
    limit = setTimeout(() => resolve('failed'), answerLimitInMs);
  });
  return Promise.race([checked, isOver]).finally(() => clearTimeout(limit));
}
