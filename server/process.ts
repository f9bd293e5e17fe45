import type { Socket } from 'node:net';
import { buildApp } from '#server/app.ts';
import { loadSecrets } from '#server/auth-secret.ts';
import type { Config } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { openReplica } from '#server/db/replica.ts';
import { followOwnChanges } from '#server/derivations.ts';
import { sealAnewQueue } from '#server/features/operations/sealed-by-instance.ts';
import { refuseDangers } from '#server/features/operations/start-findings.ts';
import { jobList } from '#server/job-list.ts';
import { type App, withPatience } from '#server/platform/app-parts.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { enqueue, prepareJobQueues, type RunningJobs, startJobs } from '#server/platform/jobs.ts';
import { refuseUnfinishedRestore } from '#server/platform/unfinished-restore.ts';
import { listenForMonitoring } from '#server/platform/worker-port.ts';
import { noteThatAdminsAreAsked } from '#server/sign-in/second-factor-rule.ts';

export interface ProcessParts {
  web: boolean;
  jobs: boolean;
  /** Runs after the migrations and before the process serves anything. */
  prepare?: (app: App) => Promise<void>;
}

export interface RunningProcess {
  app: App;
  /** The address of the web part. Null without one. */
  url: string | null;
  /** Resolves if the embedded database could not be kept running, and never otherwise. */
  lost: Promise<Error>;
  stop(): Promise<void>;
}

const drainLimitInMs = 6_000;
const log = {
  info: (message: string) => void process.stdout.write(`${message}\n`),
  warn: (message: string) => void process.stderr.write(`${message}\n`),
};

/** Starts a process: database (the embedded one unless DATABASE_URL is set), migrations, web and jobs as asked. */
export async function startProcess(config: Config, parts: ProcessParts): Promise<RunningProcess> {
  const { promise: lost, resolve: onLost } = Promise.withResolvers<Error>();
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  refuseUnfinishedRestore(dataDir);
  const embedded = databaseUrl ? null : await startEmbeddedDatabase({ dataDir, log, onLost });
  const connectionString = databaseUrl ?? embedded?.connectionString ?? '';
  const directAddress = databaseDirectUrl ?? connectionString;
  const undo: (() => Promise<void>)[] = [async () => embedded?.stop()];
  try {
    await migrate(directAddress);
    await prepareJobQueues(directAddress, jobList);
    const { namesStatements } = config;
    const database = openDatabase(connectionString, {
      max: 20,
      directAddress,
      namesStatements,
      beforeCommit: followOwnChanges,
    });
    undo.unshift(database.close);
    const { databaseReplicaUrl } = config;
    const replica =
      parts.web && databaseReplicaUrl ? openReplica(databaseReplicaUrl, database, { namesStatements }) : null;

    let jobs: RunningJobs | null = null;
    const secrets = await loadSecrets(config);
    const app = await buildApp({ config, database, replica, secrets, areJobsHealthy: () => jobs?.isHealthy() ?? null });
    const drain = drainOf(app);
    undo.unshift(() => letFinish([jobs?.stop(), drain()]));
    for (const line of await refuseDangers(app)) log.warn(line);
    await parts.prepare?.(withPatience(app));
    await noteThatAdminsAreAsked(app.db, config);
    if (secrets.length > 1) await enqueue(app.db, sealAnewQueue, {});

    if (parts.jobs) {
      jobs = await startJobs(app, jobList);
    }
    const stop = () => undoAll(undo);
    if (!parts.web) {
      const { workerPort } = config;
      if (workerPort !== null) undo.unshift((await listenForMonitoring(app, workerPort)).close);
      return { app, url: null, lost, stop };
    }
    const url = await app.http.listen({ host: config.host, port: config.port });
    return { app, url, lost, stop };
  } catch (error) {
    await undoAll(undo);
    throw error;
  }
}

/**
 * Lets requests under way finish. After 6 seconds their connections are closed. Connections that browsers open in
 * advance and that have asked for nothing yet are closed at once.
 */
function drainOf({ http }: App): () => Promise<void> {
  const sockets = new Set<Socket>();
  http.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    const limit = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, drainLimitInMs);
    await http.close();
    clearTimeout(limit);
  };
}

/** Requests and jobs at the same time, so that both limits together stay below ten seconds. */
async function letFinish(endings: (Promise<void> | undefined)[]): Promise<void> {
  const ended = await Promise.allSettled(endings);
  const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (failures.length > 0) throw failures[0];
}

async function undoAll(steps: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps.splice(0)) {
    await step().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'The process did not stop cleanly.');
}
