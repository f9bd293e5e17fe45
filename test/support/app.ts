import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Endpoint, InputOf, ResponseOf } from '#contract/endpoint.ts';
import type { Problem } from '#contract/errors.ts';
import { buildApp } from '#server/app.ts';
import { loadSecrets } from '#server/auth-secret.ts';
import { type Config, readConfig } from '#server/config.ts';
import { type Db, openDatabase } from '#server/db/database.ts';
import { openReplica } from '#server/db/replica.ts';
import { followOwnChanges } from '#server/derivations.ts';
import { jobList } from '#server/job-list.ts';
import { type RunningJobs, startJobs } from '#server/platform/jobs.ts';
import type { LogStream } from '#server/platform/logs.ts';
import type { App } from '#server/platform/serve.ts';
import { sessionCookie } from '#server/sign-in/auth-cookie.ts';
import { watchReplies } from './documented-replies.ts';
import { problemOf, refusalOf, requireTaken } from './problem-of.ts';
import { noteBeginnings, requireSaid } from './said-facts.ts';
import { watchStatements } from './statement-limit.ts';
import { testSecret } from './test-secret.ts';

export interface Person {
  id: string;
}

export interface Refusal {
  status: number;
  problem: Problem;
}

export interface Client {
  cookie: string;
  /** Returns the reply. Throws with the problem's code and detail if the server refuses. */
  call<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<ResponseOf<E>>;
  /** Returns the refusal. Throws if the server accepts. */
  refused<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<Refusal>;
  /** Returns the reply or the refusal, whichever comes. */
  ask<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<{ reply: ResponseOf<E> } | { problem: Problem }>;
  /** Sends a bare request, for input that no endpoint's types would allow. */
  fetch(address: string, init?: RequestInit): Promise<Response>;
}

export interface TestApp {
  app: App;
  db: Db;
  url: string;
  connectionString: string;
  /** A client that is signed in as the person, or signed out. */
  as(person: Person | null): Promise<Client>;
  /** Starts the jobs of this app. close() stops them. */
  runJobs(): Promise<RunningJobs>;
  close(): Promise<void>;
}

interface TestLimits {
  /** The default is production's. */
  answerLimitInMs?: number;
  /** How long a read waits for the replica, and how often it is tried. */
  ofReplica?: { waitLimitInMs?: number; tryEveryMs?: number };
}

/** Starts the real server on a database of its own, listening on loopback. Jobs run only on request. */
export async function startTestApp(env: Record<string, string> = {}, logs?: LogStream): Promise<TestApp> {
  // This import is here, so that openTestApp works outside Vitest too.
  const { createTestDatabase } = await import('./database.ts');
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-test-'));
  const started = await openTestApp(database.connectionString, { DATA_DIR: dataDir, ...env }, logs);
  return {
    ...started,
    close: async () => {
      await started.close();
      await database.leave();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Opens a server on an existing database, as a second process would. */
export async function openTestApp(
  connectionString: string,
  env: Record<string, string>,
  logs?: LogStream,
  { answerLimitInMs, ofReplica }: TestLimits = {},
): Promise<TestApp> {
  const config = testConfig({ DATABASE_URL: connectionString, ...env });
  const { beforeCommit, requireAllSaid } = requireSaid(followOwnChanges);
  const { namesStatements } = config;
  const database = openDatabase(connectionString, { max: 8, answerLimitInMs, namesStatements, beforeCommit });
  noteBeginnings(database);
  const { databaseReplicaUrl } = config;
  const replica = databaseReplicaUrl
    ? openReplica(databaseReplicaUrl, database, { namesStatements, ...ofReplica })
    : null;
  let jobs: RunningJobs | null = null;
  const secrets = await loadSecrets({ ...config, authSecret: config.authSecret ?? testSecret });
  const { app, requireDocumented } = await watchReplies(() =>
    buildApp({ config, database, replica, secrets, areJobsHealthy: () => jobs?.isHealthy() ?? null, logs }),
  );
  const requireFewStatements = watchStatements(app);
  const url = await app.http.listen({ host: '127.0.0.1', port: 0 });
  return {
    app,
    db: database.db,
    url,
    connectionString,
    as: async (person) => client(url, person ? await openSession(app, person) : ''),
    runJobs: async () => {
      jobs = await startJobs(app, jobList);
      return jobs;
    },
    close: async () => {
      await jobs?.stop();
      app.http.server.closeAllConnections();
      await app.http.close();
      await database.close();
      requireFewStatements();
      requireAllSaid();
      requireDocumented();
    },
  };
}

export function testConfig(env: Record<string, string>): Config {
  return readConfig({
    PORT: '0',
    DEMO: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_FACTOR: '1000',
    REQUIRE_ADMIN_SECOND_FACTOR: '0',
    ...env,
  });
}

/** Makes a session as a sign-in does, and returns its cookie. */
async function openSession(app: App, person: Person): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const expiresAt = new Date(Date.now() + 7 * 24 * 3_600_000);
  await app.db.insertInto('auth.session').values({ userId: person.id, token, expiresAt }).execute();
  const [cookie] = sessionCookie(token, app.config.publicUrl, app.sessionKeys).split(';');
  return cookie ?? '';
}

/** A client of any process that knows the session. */
export function client(url: string, cookie: string): Client {
  const send = (address: string, init: RequestInit = {}) =>
    fetch(new URL(address, url), {
      ...init,
      headers: { ...(cookie ? { cookie } : {}), ...init.headers },
      redirect: 'manual',
    });
  const request = (endpoint: Endpoint, input: unknown) => ask(url, cookie ? { cookie } : {}, endpoint, input);
  return {
    cookie,
    fetch: send,
    call: async (endpoint, input) => {
      const answer = await request(endpoint, input);
      await requireTaken(endpoint, answer);
      return endpoint.response.parse(await answer.json()) as ResponseOf<typeof endpoint>;
    },
    ask: async (endpoint, input) => {
      const answer = await request(endpoint, input);
      if (!answer.ok) return { problem: await problemOf(answer) };
      return { reply: endpoint.response.parse(await answer.json()) as ResponseOf<typeof endpoint> };
    },
    refused: async (endpoint, input) => {
      const answer = await request(endpoint, input);
      return { status: answer.status, problem: await refusalOf(endpoint, answer) };
    },
  };
}

/** Sends a request with these headers, and returns the bare answer. */
export function ask(
  url: string,
  headers: Record<string, string>,
  endpoint: Endpoint,
  input: unknown,
): Promise<Response> {
  const { address, body } = addressOf(endpoint, (input ?? {}) as LooseInput);
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(new URL(address, url), {
    method: endpoint.method,
    headers: { ...json, ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

function addressOf(endpoint: Endpoint, { params = {}, query = {}, body }: LooseInput) {
  const filled = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return { address: search.size > 0 ? `${filled}?${search}` : filled, body };
}
