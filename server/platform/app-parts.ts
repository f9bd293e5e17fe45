import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Sessions } from '#server/platform/actor.ts';
import type { Storage } from '#server/platform/storage-shape.ts';

/** The parts of one process. server/app.ts makes them once and hands them to routes and jobs. */
export interface App {
  http: FastifyInstance;
  db: Db;
  /** The same database for work that nobody waits for. Its statements may take minutes. */
  patientDb: Db;
  pool: pg.Pool;
  config: Config;
  sessions: Sessions;
  /** The key that signs session tokens, in cookies and bearers. */
  sessionKey: string;
  /** AUTH_SECRET. It signs nothing itself, because every purpose has its own key from it (secret-box.ts). */
  secret: string;
  storage: Storage;
  /** Every endpoint that serve() has bound, in order. */
  endpoints: Endpoint[];
}

/** The app for work that nobody waits for. */
export function withPatience(app: App): App {
  return { ...app, db: app.patientDb };
}
