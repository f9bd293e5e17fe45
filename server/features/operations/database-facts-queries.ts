import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { machineTime } from '#server/platform/clock.ts';
import { mostCounted } from './queue-queries.ts';

export interface DatabaseFacts {
  /** How far the clock of the database is ahead of this process, in seconds. */
  clockAheadSeconds: number;
  version: string;
  bytes: number;
  connections: number;
  mostConnections: number;
  replicas: number;
  /** Settings that give durability up, as `name=value`. */
  forgetfulSettings: string[];
  /** What the role may do beyond its own database. */
  excessRights: string[];
  /** Extensions that are older than the server's own, as `name installed → present`. */
  oldExtensions: string[];
  admins: number;
  adminsWithoutSecondFactor: number;
  longestWait: { queue: string; seconds: number } | null;
  givenUpDeliveries: number;
  givenUpHandovers: number;
  files: number;
  ledger: {
    verifiedAt: string;
    lines: number;
    problems: number;
    differences: number;
    firstProblem: string | null;
  } | null;
  /** When the first line of the ledger was written. */
  ledgerBegan: string | null;
}

/** It takes one statement, bounded by indexes and small tables. */
export async function findDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const askedAt = machineTime().getTime();
  const { rows } = await sql<Omit<DatabaseFacts, 'clockAheadSeconds'> & { now: number }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now,
      split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from pg_stat_activity where datname is not null) as connections,
      current_setting('max_connections')::int as most_connections,
      (select count(*)::int from pg_stat_replication) as replicas,
      array(select name || '=' || setting from pg_settings
        where name in ('fsync', 'full_page_writes', 'autovacuum', 'synchronous_commit') and setting = 'off'
        order by name) as forgetful_settings,
      array(${excessRights}) as excess_rights,
      array(select name || ' ' || installed_version || ' → ' || default_version from pg_available_extensions
        where installed_version <> default_version order by name) as old_extensions,
      (select count(*)::int from profiles where role = 'admin' and deleted_at is null) as admins,
      (select count(*)::int from profiles where role = 'admin' and deleted_at is null and not exists (
        select from auth.second_factor where user_id = profiles.id and confirmed_at is not null)
        and not exists (select from auth.passkey where user_id = profiles.id)) as admins_without_second_factor,
      (${longestWait}) as longest_wait,
      (select count(*)::int from (
        select from deliveries where status = 'given_up' limit ${mostCounted}) lost) as given_up_deliveries,
      (select count(*)::int from stipend_handovers where status = 'given_up') as given_up_handovers,
      (select greatest(reltuples, 0)::int from pg_class where oid = 'stored_files'::regclass) as files,
      (select jsonb_build_object('verifiedAt', utc_text(verified_at), 'lines', lines, 'problems', problems,
          'differences', differences, 'firstProblem', first_problem)
        from ledger_verifications order by verified_at desc limit 1) as ledger,
      (select utc_text(at) from stipend_ledger order by position limit 1) as ledger_began`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('The database answered without a row.');
  const { now, ...facts } = found;
  return { ...facts, clockAheadSeconds: (now - (askedAt + machineTime().getTime()) / 2) / 1000 };
}

const excessRights = sql`
  select may from pg_roles role cross join lateral (values
    (role.rolsuper, 'is a superuser'),
    (role.rolcreaterole, 'may create roles'),
    (role.rolcreatedb, 'may create databases'),
    (role.rolreplication, 'may replicate everything'),
    (role.rolbypassrls, 'passes row security'),
    (not role.rolsuper and pg_has_role(role.oid, 'pg_execute_server_program', 'member'), 'may run programs of the server'),
    (not role.rolsuper and pg_has_role(role.oid, 'pg_read_server_files', 'member'), 'may read files of the server'),
    (not role.rolsuper and pg_has_role(role.oid, 'pg_write_server_files', 'member'), 'may write files of the server'),
    (exists (select from pg_database where datdba = role.oid and datname <> current_database()
      and not role.rolsuper), 'owns other databases')) rights (has, may)
  where role.rolname = current_user and has`;

const longestWait = sql`
  select jsonb_build_object('queue', queue.name, 'seconds', extract(epoch from now() - waiting.oldest)::float8)
  from pgboss.queue queue
  cross join lateral (
    select min(start_after) as oldest from (
      select start_after from pgboss.job
      where name = queue.name and state < 'active' and not blocked and start_after <= now()
      order by priority desc, created_on limit ${mostCounted}) part) waiting
  where waiting.oldest is not null and queue.name !~ '^__'
  order by waiting.oldest limit 1`;
