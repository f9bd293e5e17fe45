import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Sessions } from '#server/platform/actor.ts';
import type { Storage } from '#server/platform/storage-shape.ts';

/** What a process is made of; made once in server/app.ts and handed to routes and jobs. */
export interface App {
  http: FastifyInstance;
  db: Db;
  /** The same database for work that nobody waits for: its statements may take minutes. */
  patientDb: Db;
  pool: pg.Pool;
  config: Config;
  sessions: Sessions;
  /** What session tokens are signed with, in cookies and bearers. */
  sessionKey: string;
  /** AUTH_SECRET, of which every purpose has a key of its own (secret-box.ts): nothing is signed with it as it is. */
  secret: string;
  storage: Storage;
  /** Every endpoint that serve() has bound, in order. */
  endpoints: Endpoint[];
}

/** The app for work that nobody waits for. */
export function withPatience(app: App): App {
  return { ...app, db: app.patientDb };
}
