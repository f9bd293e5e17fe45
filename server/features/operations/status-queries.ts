import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readStatus } from '#contract/operations.ts';
import type { Db } from '#server/db/database.ts';
import type { App } from '#server/platform/app-parts.ts';
import { machineTime, now } from '#server/platform/clock.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { readInspected } from './inspected.ts';
import { findInspection } from './inspection-queries.ts';
import { errorsFirst, takeLooks } from './looks.ts';
import { findQueues } from './queue-queries.ts';

const mostAdmins = 20;
const backupOutcomes = ['done', 'failed'] as const;
const startedAt = new Date(machineTime().getTime() - process.uptime() * 1000).toISOString();

/** It takes five statements. Cheap looks are taken now, and costly ones as they were last taken. */
export async function findStatus(
  app: Pick<App, 'db' | 'config' | 'secrets' | 'storage'>,
): Promise<ReplyOf<typeof readStatus>> {
  const { db, config } = app;
  const inspected = await readInspected(app);
  const { facts, machine, backup } = inspected;
  const [live, kept, queues, admins] = await Promise.all([
    takeLooks(inspected, ({ isCostly }) => !isCostly),
    findInspection(db),
    findQueues(db),
    findSignedInAdmins(db),
  ]);
  const { ledger } = facts;
  return {
    version: productVersion(),
    startedAt,
    findings: errorsFirst([...live, ...(kept?.findings ?? [])]),
    inspectedAt: kept?.inspectedAt.toISOString() ?? null,
    database: {
      version: facts.version,
      isEmbedded: config.databaseUrl === null,
      bytes: facts.bytes,
      connections: facts.connections,
      mostConnections: facts.mostConnections,
      replicas: facts.replicas,
    },
    queues: queues
      .filter(({ waiting, running }) => waiting + running > 0)
      .toSorted((left, right) => right.oldestSeconds - left.oldestSeconds),
    givenUp: { deliveries: facts.givenUpDeliveries, handovers: facts.givenUpHandovers },
    storage: {
      kind: config.s3 ? 'bucket' : 'folder',
      files: facts.files,
      freeBytes: machine.freeBytes,
      diskBytes: machine.diskBytes,
    },
    ledger: ledger && {
      verifiedAt: ledger.verifiedAt,
      lines: ledger.lines,
      problems: ledger.problems,
      differences: ledger.differences,
    },
    backup: backup && {
      startedAt: backup.startedAt.toISOString(),
      outcome: backupOutcomes.find((outcome) => outcome === backup.outcome) ?? null,
      lastDoneAt: backup.lastDoneAt?.toISOString() ?? null,
      bytes: backup.sizeInBytes,
    },
    admins,
  };
}

async function findSignedInAdmins(db: Db) {
  const { rows } = await sql<{
    id: string;
    name: string;
    sessions: number;
    signedInAt: Date;
    hasSecondFactor: boolean;
  }>`
    select profiles.id, profiles.full_name as name, count(*)::int as sessions, max(session.created_at) as signed_in_at,
      exists (select from auth.second_factor where user_id = profiles.id and confirmed_at is not null)
        or exists (select from auth.passkey where user_id = profiles.id) as has_second_factor
    from auth.session join profiles on profiles.id = session.user_id
    where profiles.role = 'admin' and profiles.deleted_at is null
      and session.expires_at > ${now()} 
    group by profiles.id order by signed_in_at desc limit ${mostAdmins}`.execute(db);
  return rows.map(({ signedInAt, ...row }) => ({ ...row, signedInAt: signedInAt.toISOString() }));
}
