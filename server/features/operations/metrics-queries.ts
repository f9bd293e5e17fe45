import { sql } from 'kysely';
import { Gauge, Registry } from 'prom-client';
import type { Db } from '#server/db/database.ts';
import { findLastBackup } from '#server/features/backups/backup-queries.ts';
import { now } from '#server/platform/clock.ts';
import { findQueues, mostCounted, type QueueState } from './queue-queries.ts';

interface Stock {
  databaseBytes: number;
  connections: number;
  mostConnections: number;
  deliveries: { channel: string; status: string; count: number; oldestSeconds: number }[];
  handovers: { status: string; count: number }[];
  ledger: { ageSeconds: number; problems: number } | null;
  backupAgeSeconds: number | null;
}

/**
 * What stands in the database, as text for Prometheus. It takes three statements, each bounded by an index or by a small
 * table. Every process tells the same, so an alert takes the maximum.
 */
export async function readStockMetrics(db: Db): Promise<string> {
  const stock = await findStock(db);
  const { lastDoneAt = null } = (await findLastBackup(db)) ?? {};
  const backupAgeSeconds = lastDoneAt && (now().getTime() - lastDoneAt.getTime()) / 1000;
  return textOf({ ...stock, backupAgeSeconds }, await findQueues(db));
}

export function metricsWithoutDatabase(): Promise<string> {
  const registry = new Registry();
  gaugesOf(registry)('switchyard_database_up', 'Whether the database answered.').set(0);
  return registry.metrics();
}

async function findStock(db: Db): Promise<Omit<Stock, 'backupAgeSeconds'>> {
  const { rows } = await sql<Omit<Stock, 'backupAgeSeconds'>>`
    select pg_database_size(current_database())::float8 as database_bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as most_connections,
      (select coalesce(jsonb_agg(to_jsonb(part)), '[]') from (${deliveriesByState}) part) as deliveries,
      (select coalesce(jsonb_agg(to_jsonb(part)), '[]') from (
        select status, count(*) from stipend_handovers group by status) part) as handovers,
      (select jsonb_build_object('ageSeconds', extract(epoch from now() - verified_at), 'problems', problems)
        from ledger_verifications order by verified_at desc limit 1) as ledger`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('The database answered without a row.');
  return found;
}

const deliveriesByState = sql`
  select channel, 'waiting' as status, count(*),
    coalesce(greatest(0, extract(epoch from now() - min(greatest(created_at, not_before)))), 0) as "oldestSeconds"
  from (select channel, created_at, not_before from deliveries
    where status in ('queued', 'failed') order by created_at limit ${mostCounted}) waiting
  group by channel
  union all
  select channel, 'given_up', count(*), 0 from (
    select channel from deliveries where status = 'given_up' order by given_up_at desc limit ${mostCounted}) lost
  group by channel`;

function textOf(stock: Stock, queues: QueueState[]): Promise<string> {
  const registry = new Registry();
  const gauge = gaugesOf(registry);
  gauge('switchyard_database_up', 'Whether the database answered.').set(1);
  gauge('switchyard_database_size_bytes', 'Size of the database.').set(stock.databaseBytes);
  gauge('switchyard_database_connections', 'Connections to the database, of all processes.').set(stock.connections);
  gauge('switchyard_database_max_connections', 'The most that the database takes.').set(stock.mostConnections);
  const waiting = gauge('switchyard_jobs_waiting', `Jobs that could run now, ${mostCounted} at most.`, ['queue']);
  const running = gauge('switchyard_jobs_running', `Jobs that run, ${mostCounted} at most.`, ['queue']);
  const oldest = gauge('switchyard_job_oldest_seconds', 'How long the oldest of them has been waiting.', ['queue']);
  for (const { name: queue, ...state } of queues) {
    waiting.set({ queue }, state.waiting);
    running.set({ queue }, state.running);
    oldest.set({ queue }, state.oldestSeconds);
  }
  const states = ['channel', 'state'];
  const deliveries = gauge('switchyard_deliveries', `Deliveries by state, ${mostCounted} of a state at most.`, states);
  const age = gauge('switchyard_delivery_oldest_seconds', 'How long the oldest has been waiting.', ['channel']);
  for (const { channel, status: state, count, oldestSeconds } of stock.deliveries) {
    deliveries.set({ channel, state }, count);
    if (state === 'waiting') age.set({ channel }, oldestSeconds);
  }
  const handovers = gauge('switchyard_handovers', 'Batches for the payment system, by state.', ['state']);
  for (const { status: state, count } of stock.handovers) handovers.set({ state }, count);
  if (stock.ledger) {
    gauge('switchyard_ledger_verified_age_seconds', 'How long ago the ledger was verified.').set(
      stock.ledger.ageSeconds,
    );
    gauge('switchyard_ledger_problems', 'What the last verification found.').set(stock.ledger.problems);
  }
  if (stock.backupAgeSeconds !== null) {
    gauge('switchyard_backup_age_seconds', 'How old the last whole backup is.').set(stock.backupAgeSeconds);
  }
  return registry.metrics();
}

function gaugesOf(registry: Registry) {
  return (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
}
