import { AsyncLocalStorage } from 'node:async_hooks';
import {
  fromKysely,
  getConstructionPlans,
  type JobResult,
  type JobWithMetadata,
  PgBoss,
  type QueueResult,
} from 'pg-boss';
import type { z } from 'zod';
import { houseZone } from '#contract/house-zone.ts';
import { type Db, directAddressOf } from '#server/db/database.ts';
import { type App, withPatience } from './app-parts.ts';
import { steadyTime } from './clock.ts';
import { withLog } from './current-work.ts';
import { jobSeconds, jobsRun } from './metrics.ts';

/** What a job knows of its own run. After the last failed attempt nobody tries again. */
export interface JobAttempt {
  number: number;
  isLast: boolean;
}

export interface JobOptions {
  /** The number of retries for a failed job. The default is 8. */
  retryLimit?: number;
  /** Seconds before the first retry. The wait doubles from try to try up to `retryDelayMax`. */
  retryDelay?: number;
  /** The longest wait before a retry, in seconds. */
  retryDelayMax?: number;
  /** After this many seconds a running job counts as lost and is tried again. */
  expireInSeconds?: number;
  /** How many of these one process runs at once, at least 2. The default is 4. */
  concurrency?: number;
  /** The job enqueues itself with empty data at these times, US Eastern. */
  cron?: string;
  /**
   * The job also enqueues itself with empty data when a process begins to run jobs, so a killed run goes on at once.
   */
  runsAtStart?: boolean;
}

/**
 * The address of a job, which is all that a sender knows of it. `defineJob({ ...queue, run })` makes the job itself.
 */
export interface Queue<Schema extends z.ZodType> {
  name: string;
  schema: Schema;
}

export interface JobDefinition<Schema extends z.ZodType> extends JobOptions, Queue<Schema> {
  run(app: App, data: z.output<Schema>, attempt: JobAttempt): Promise<void>;
}

export interface Job extends JobOptions {
  name: string;
  run(app: App, data: unknown, attempt: JobAttempt): Promise<void>;
}

export interface RunningJobs {
  /** Lets running jobs finish for at most six seconds. Jobs that still run then are tried again later. */
  stop(): Promise<void>;
  isHealthy(): boolean;
}

export interface EnqueueOptions {
  /** The job does not run before this instant. */
  startAfter?: Date;
}

const schema = 'pgboss';
const stopTimeoutInMs = 6_000;
const pollSeconds = 2;
const pollSecondsWithNotify = 5;
const healthyFetchAgeInMs = 60_000;
const longestStatementInMs = 5 * 60_000;
/** The queue waits by it, and looks every minute how far it stands from the database's clock, by which jobs have their times. */
const steadyClock = { now: steadyTime, setTimeout, clearTimeout, setInterval, clearInterval };
const clockMonitorIntervalSeconds = 60;

const callersTransaction = new AsyncLocalStorage<ReturnType<typeof fromKysely>>();

/**
 * This sender is never started. It holds no connection, only words the statements, and remembers queues it looked up.
 */
const sender = new PgBoss({
  schema,
  db: {
    executeSql: (text, values) => {
      const transaction = callersTransaction.getStore();
      if (!transaction) throw new Error('Jobs are enqueued by enqueue() only.');
      return transaction.executeSql(text, values);
    },
  },
});

export function defineQueue<Schema extends z.ZodType>(name: string, dataSchema: Schema): Queue<Schema> {
  return { name, schema: dataSchema };
}

export function defineJob<Schema extends z.ZodType>({ run, schema: dataSchema, ...job }: JobDefinition<Schema>): Job {
  return { ...job, run: async (app, data, attempt) => run(app, dataSchema.parse(data), attempt) };
}

/**
 * Puts jobs into the caller's transaction, so they exist once it commits. No job process has to run here. Throws if no
 * job of this name was ever prepared.
 */
export async function enqueue<Schema extends z.ZodType<unknown, object>>(
  db: Db,
  queue: Queue<Schema>,
  data: z.input<Schema> | z.input<Schema>[],
  options: EnqueueOptions = {},
): Promise<void> {
  const entries: object[] = Array.isArray(data) ? data : [data];
  if (entries.length === 0) return;
  const startAfter = options.startAfter?.toISOString();
  // Plugins would rename the queue's columns.
  await callersTransaction.run(fromKysely(db.withoutPlugins()), () =>
    sender.insert(
      queue.name,
      entries.map((entry) => ({ data: entry, startAfter })),
    ),
  );
}

/** Creates the job tables and queues, so that jobs can be enqueued before any job process has run. */
export async function prepareJobQueues(connectionString: string, jobs: Job[]): Promise<void> {
  const failures: unknown[] = [];
  const boss = new PgBoss({ connectionString, schema, max: 1, supervise: false, schedule: false });
  boss.on('error', (error) => failures.push(error));
  await boss.start();
  try {
    await createQueues(boss, jobs);
  } finally {
    await boss.stop({ graceful: false });
  }
  if (failures.length > 0) throw failures[0];
}

/** Makes the job tables in the caller's transaction, as this build's queue makes them itself. */
export function jobSchemaStatements(): string {
  const [, statements] = /^\s*BEGIN;(.*)COMMIT;\s*$/s.exec(getConstructionPlans(schema)) ?? [];
  if (!statements) throw new Error('The job queue no longer makes its tables in one transaction.');
  return `${statements}; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0`;
}

export async function startJobs(app: App, jobs: Job[]): Promise<RunningJobs> {
  const log = app.http.log;
  const options = {
    connectionString: directAddressOf(app.pool),
    application_name: 'switchyard jobs',
    schema,
    max: 4,
    useListenNotify: true,
    clock: steadyClock,
    clockMonitorIntervalSeconds,
    // The driver gets this too, so that a connection that died in silence is replaced.
    query_timeout: longestStatementInMs,
  };
  const boss = new PgBoss(options);
  boss.on('error', (error) => log.error({ err: error }, 'the job queue reported an error'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'the job queue reported a warning'));
  await boss.start();
  await createQueues(boss, jobs);
  for (const job of jobs) await work(boss, withPatience(app), job);
  let isStopped = false;
  return {
    stop: async () => {
      isStopped = true;
      await boss.stop({ graceful: true, timeout: stopTimeoutInMs });
    },
    isHealthy: () => !isStopped && areWorkersFetching(boss, jobs),
  };
}

async function createQueues(boss: PgBoss, jobs: Job[]): Promise<void> {
  const present = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const job of jobs) {
    const options = queueOptions(job);
    const queue = present.get(job.name);
    if (!queue) await boss.createQueue(job.name, options);
    else if (isDifferent(queue, options)) await boss.updateQueue(job.name, options);
  }
}

function queueOptions({ retryLimit = 8, retryDelay = 5, retryDelayMax = 3600, expireInSeconds = 300 }: Job) {
  return { retryLimit, retryDelay, retryDelayMax, expireInSeconds, retryBackoff: true, notify: true };
}

function isDifferent(queue: QueueResult, options: ReturnType<typeof queueOptions>): boolean {
  const names = Object.keys(options) as (keyof typeof options)[];
  return names.some((name) => queue[name] !== options[name]);
}

async function work(boss: PgBoss, app: App, job: Job): Promise<void> {
  const options = {
    includeMetadata: true,
    perJobResults: true,
    // A worker asks for more at once only after a full batch of two or more. Otherwise it waits for the next poll.
    batchSize: Math.max(2, job.concurrency ?? 4),
    burstWhenBatchFull: true,
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSecondsWithNotify,
  } as const;
  await boss.work<object, void, typeof options>(job.name, options, (entries) =>
    Promise.all(entries.map((entry) => runOnce(app, job, entry))),
  );
  if (job.cron) await boss.schedule(job.name, job.cron, {}, { tz: houseZone });
  else await boss.unschedule(job.name);
  if (job.runsAtStart) await boss.send(job.name, {});
}

async function runOnce(app: App, job: Job, entry: JobWithMetadata<object>): Promise<JobResult> {
  const attempt = { number: entry.retryCount + 1, isLast: entry.retryCount >= entry.retryLimit };
  const endTimer = jobSeconds.startTimer({ queue: job.name });
  const count = (outcome: 'completed' | 'failed' | 'given_up') => {
    endTimer();
    jobsRun.inc({ queue: job.name, outcome });
  };
  try {
    await withLog(app.http.log.child({ job: job.name, jobId: entry.id }), () => job.run(app, entry.data, attempt));
    count('completed');
    return { id: entry.id, status: 'completed' };
  } catch (error) {
    count(attempt.isLast ? 'given_up' : 'failed');
    app.http.log.warn({ err: error, job: job.name, jobId: entry.id, attempt: attempt.number }, 'a job failed');
    return {
      id: entry.id,
      status: 'failed',
      output: { error: error instanceof Error ? error.message : String(error) },
    };
  }
}

function areWorkersFetching(boss: PgBoss, jobs: Job[]): boolean {
  const workers = boss.getWipData();
  const oldest = steadyTime() - healthyFetchAgeInMs;
  const fetching = workers.filter((worker) => worker.count > 0 || (worker.lastFetchedOn ?? worker.createdOn) > oldest);
  const names = new Set(fetching.map((worker) => worker.name));
  return jobs.every((job) => names.has(job.name));
}
