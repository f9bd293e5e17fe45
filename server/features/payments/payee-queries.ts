import { type SqlBool, sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { previewHandover } from '#contract/payments.ts';
import type { Db } from '#server/db/database.ts';
import { isPayeeOutdated } from '#server/features/stipends/stipend-standing-queries.ts';

const namedAtMost = 5;

interface FoundPayee {
  stipendId: string;
  approvedName: string;
  approvedEmail: string;
  nowName: string;
  nowEmail: string;
  count: number;
}

/** Finds people among the stipends about to be sent who now have another name or address. */
export async function findOutdatedPayees(
  db: Db,
  stipendIds: string[],
): Promise<ReplyOf<typeof previewHandover>['outdatedPayees']> {
  const isMeant = sql<SqlBool>`stipends.id = any(${stipendIds}::uuid[])`;
  const found = await sql<FoundPayee>`
    select stipends.id as stipend_id, stipends.payee_name as approved_name, stipends.payee_email as approved_email,
      fellow.full_name as now_name, fellow.email::text as now_email,
      (count(*) over ())::integer as count
    from stipend_eligibility stipends
    join profiles fellow on fellow.id = stipends.fellow_id
    where ${isMeant} and ${isPayeeOutdated}
    order by now_name, stipends.id limit ${namedAtMost}`.execute(db);
  return {
    count: found.rows[0]?.count ?? 0,
    first: found.rows.map(({ stipendId, approvedName, approvedEmail, nowName, nowEmail }) => ({
      stipendId,
      approved: { name: approvedName, email: approvedEmail },
      now: { name: nowName, email: nowEmail },
    })),
  };
}
