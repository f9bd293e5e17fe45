import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { findChangedBatches, verifyBodies } from './handover-ledger.ts';
import { findUnwritten } from './ledger-agreement.ts';

export interface LedgerReport {
  lines: number;
  /** The hash of the last line. A copy kept elsewhere proves that no line was cut off since. */
  lastHash: string;
  /** In words. Empty if everything is right. */
  problems: string[];
  /**
   * In words: paid amounts that differ from what is owed. The books are right, but somebody has to look at the money.
   */
  differences: string[];
}

/** What an earlier report said of its last line. */
interface KeptHash {
  line: number;
  hash: string;
}

/** Every field as text, as it goes into the hash. */
type Line = Record<(typeof hashedFields)[number], string | null> & { hash: string };

const hashedFields = [
  'position',
  'at',
  'stipendId',
  'fellowId',
  'kind',
  'actorId',
  'owedCents',
  'handedCents',
  'paidCents',
  'before',
  'after',
  'reason',
  'handoverId',
  'previousHash',
] as const;
const linesAtOnce = 5_000;
const noHash = '0'.repeat(64);

/**
 * Computes every hash of the ledger anew, outside the database. Compares its sums with the present stipends, payments
 * and hand-overs.
 */
export async function verifyLedger(db: Db, kept: KeptHash | null = null): Promise<LedgerReport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => verifyLedgerOf(transaction, kept));
}

/** Does the same inside a transaction. */
export async function verifyLedgerOf(db: Db, kept: KeptHash | null = null): Promise<LedgerReport> {
  const { lines, lastHash, problems } = await verifyChain(db, kept);
  return {
    lines,
    lastHash,
    problems: [
      ...problems,
      ...(await findDisagreements(db)),
      ...(await findUnwritten(db)),
      ...(await findChangedBatches(db)),
      ...(await verifyBodies(db)),
    ],
    differences: await findDifferences(db),
  };
}

async function verifyChain(db: Db, kept: KeptHash | null): Promise<Omit<LedgerReport, 'differences'>> {
  const problems: string[] = [];
  let lastHash = noHash;
  let lines = 0;
  for (;;) {
    const batch = await readLines(db, lines);
    if (batch.length === 0) {
      if (kept && kept.line > lines) problems.push(`Line ${kept.line}, whose hash was kept, is not there.`);
      return { lines, lastHash, problems };
    }
    for (const line of batch) {
      lines += 1;
      if (line.position !== String(lines)) {
        problems.push(`Line ${lines} is missing: line ${line.position} is in its place.`);
        return { lines, lastHash, problems };
      }
      if (line.previousHash !== lastHash) problems.push(`Line ${lines} does not follow the line before it.`);
      if (line.hash !== hashOf(line)) problems.push(`Line ${lines} was changed after it was written.`);
      if (lines === kept?.line && line.hash !== kept.hash) {
        problems.push(`Line ${lines} is not the one whose hash was kept: the ledger was written anew.`);
      }
      lastHash = line.hash;
    }
  }
}

async function readLines(db: Db, after: number): Promise<Line[]> {
  const found = await sql<Line>`
    select position::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, stipend_id::text,
      fellow_id::text, kind, actor_id::text, owed_cents::text, handed_cents::text, paid_cents::text, before::text as before,
      after::text as after, reason, handover_id::text, previous_hash, hash
    from stipend_ledger where position > ${after} order by stipend_ledger.position limit ${linesAtOnce}`.execute(db);
  return found.rows;
}

function hashOf(line: Line): string {
  const text = hashedFields
    .map((name) => line[name])
    .map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`))
    .join(',');
  return createHash('sha256').update(text).digest('hex');
}

/** Finds stipends whose state is not the sum of their lines. Something was changed or cut off behind the ledger. */
async function findDisagreements(db: Db): Promise<string[]> {
  const found = await sql<{ problem: string }>`
    select 'Stipend ' || stipend.id || ' is ' || stipend.payment_status || ' with ' || stipend.stipend_amount_cents
      || ' cents; the ledger has ' || coalesce(balance.owed_cents, 0) || ' owed, ' || coalesce(balance.paid_cents, 0)
      || ' paid, ' || coalesce(balance.handed_cents, 0) || ' handed over.' as problem
    from stipend_eligibility stipend
    left join stipend_balances balance on balance.stipend_id = stipend.id
    left join stipend_payments payment on payment.stipend_id = stipend.id
    left join lateral (
      select sum(last_of_part.amount_cents) as amount_cents from (
        select distinct on (handed.part) handed.amount_cents from stipend_handover_rows handed
        join stipend_handovers handover on handover.id = handed.handover_id
        where handed.stipend_id = stipend.id and handover.status <> 'recalled'
        order by handed.part, handover.created_at desc, handover.id desc) last_of_part) handed on true
    left join lateral (
      select after ->> 'paymentStatus' as status from stipend_ledger line
      where line.stipend_id = stipend.id and after ? 'paymentStatus' order by position desc limit 1) last_line on true
    where coalesce(balance.owed_cents, 0) <> owed_of(stipend)
      or coalesce(balance.paid_cents, 0) <> coalesce(payment.amount_cents, 0)
      or (stipend.payment_status = 'paid') <> (payment.stipend_id is not null)
      or coalesce(balance.handed_cents, 0) <> coalesce(handed.amount_cents, 0)
      or coalesce(last_line.status, 'pending') <> stipend.payment_status
    order by stipend.id limit 100`.execute(db);
  return found.rows.map(({ problem }) => problem);
}

async function findDifferences(db: Db): Promise<string[]> {
  const found = await sql<{ difference: string }>`
    select 'Stipend ' || stipends.id || ' was paid ' || payment.amount_cents || ' cents; '
      || stipends.stipend_amount_cents || ' are owed.' as difference
    from stipend_eligibility stipends
    join stipend_payments payment on payment.stipend_id = stipends.id
    where payment.amount_cents <> stipends.stipend_amount_cents
    order by stipends.id limit 100`.execute(db);
  return found.rows.map(({ difference }) => difference);
}
