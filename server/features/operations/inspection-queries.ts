import { sql } from 'kysely';
import { z } from 'zod';
import { Finding } from '#contract/operations.ts';
import type { Db } from '#server/db/database.ts';

const Findings = z.array(Finding);

/** Keeps what the costly looks of a run found, for the status page. */
export async function keepInspection(db: Db, findings: Finding[]): Promise<void> {
  await sql`
    insert into inspections (inspected_at, findings) values (now(), ${JSON.stringify(findings)}::jsonb)
    on conflict (is_only_row) do update set inspected_at = excluded.inspected_at, findings = excluded.findings`.execute(
    db,
  );
}

/** What the costly looks found last. An earlier build may have known other findings. */
export async function findInspection(db: Db): Promise<{ inspectedAt: Date; findings: Finding[] } | null> {
  const found = await db.selectFrom('inspections').select(['inspectedAt', 'findings']).executeTakeFirst();
  if (!found) return null;
  return { inspectedAt: found.inspectedAt, findings: Findings.safeParse(found.findings).data ?? [] };
}
