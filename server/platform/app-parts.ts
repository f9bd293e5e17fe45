import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Replica } from '#server/db/replica.ts';
import type { Sessions } from '#server/platform/actor.ts';
import type { Secrets } from '#server/platform/secret-box.ts';
import type { Storage } from '#server/platform/storage-shape.ts';

/** The parts of one process. server/app.ts makes them once and hands them to routes and jobs. */
export interface App {
  http: FastifyInstance;
  db: Db;
  /** The same database for work that nobody waits for. Its statements may take minutes. */
  patientDb: Db;
  pool: pg.Pool;
  /** Null unless DATABASE_REPLICA_URL is set. */
  replica: Replica | null;
  config: Config;
  sessions: Sessions;
  /** The first signs session tokens, in cookies and bearers. What a later one signed is believed. */
  sessionKeys: Secrets;
  /**
   * AUTH_SECRET, and AUTH_SECRET_OLD behind it. They sign nothing themselves, because every purpose has its own key from
   * them (secret-box.ts).
   */
  secrets: Secrets;
  storage: Storage;
  /** Every endpoint that serve() has bound, in order. */
  endpoints: Endpoint[];
}

/** The app for work that nobody waits for. */
export function withPatience(app: App): App {
  return { ...app, db: app.patientDb };
}
