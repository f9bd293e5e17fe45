import { sql } from 'kysely';
import { readHealth, readReadiness } from '#contract/health.ts';
import { type App, serve } from '#server/platform/serve.ts';

/** `areJobsHealthy` is null in a process that runs none. */
export function healthRoutes(app: App, areJobsHealthy: () => boolean | null): void {
  serve(app, readHealth, async () => ({ status: 'ok' as const }));
  serve(app, readReadiness, async ({ db, reply, request }) => {
    const [database, storage] = await Promise.all([
      answers(request, 'database', () => sql`select 1`.execute(db)),
      answers(request, 'storage', () => app.storage.isHealthy()),
    ]);
    const jobs = areJobsHealthy() === false ? 'failed' : 'ok';
    const status = database === 'ok' && storage === 'ok' && jobs === 'ok' ? 'ok' : 'failed';
    if (status === 'failed') reply.code(503);
    return { status, database, storage, jobs } as const;
  });
}

async function answers(
  request: { log: { error(details: object, message: string): void } },
  part: string,
  ask: () => Promise<unknown>,
): Promise<'ok' | 'failed'> {
  try {
    return (await ask()) === false ? 'failed' : 'ok';
  } catch (error) {
    request.log.error({ err: error, part }, 'not ready');
    return 'failed';
  }
}
