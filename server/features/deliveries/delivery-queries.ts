import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { GivenUpDelivery, listGivenUpDeliveries } from '#contract/deliveries.ts';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { byId, byInstant, descending, exactly, pagesBy } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { canBeRetried, isSurelyLost } from './delivery-access.ts';

type Filters = Omit<ParsedInputOf<typeof listGivenUpDeliveries>['query'], 'cursor'>;

interface Row extends Omit<GivenUpDelivery, 'createdAt' | 'givenUpAt' | 'can'> {
  createdAt: Date;
  givenUpAt: Date;
  givenUpExactly: string;
  canRetry: boolean;
}

const pages = pagesBy(50, [descending(byInstant(sql`given_up_at`)), descending(byId(sql`delivery.id`))]);

/** It takes two statements: the page, and the counts of the filters with the kinds of all. */
export async function findGivenUpDeliveries(
  db: Db,
  { cursor, ...filters }: Filters & { cursor?: string },
): Promise<ReplyOf<typeof listGivenUpDeliveries>> {
  const found = await sql<Row>`
    select delivery.id, channel, kind, ${recipientName} as recipient_name, ${shownAddress} as address,
      coalesce(last_error, 'No reason was recorded.') as reason, attempts, delivery.created_at, given_up_at,
      ${exactly(sql`given_up_at`)} as given_up_exactly,
      ${canBeRetried} as can_retry
    ${givenUp}
    where ${matches(filters)} and ${pages.comesAfter(cursor)}
    order by ${pages.inOrder} limit ${pages.most}`.execute(db);
  const page = pages.cut(found.rows, ({ givenUpExactly, id }) => [givenUpExactly, id]);
  return {
    ...page,
    rows: page.rows.map(({ canRetry, createdAt, givenUpAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      givenUpAt: givenUpAt.toISOString(),
      can: { retry: canRetry },
    })),
    ...(await findCounts(db, filters)),
  };
}

/** The admin dashboard shows this number. */
export async function findGivenUpDeliveryCount(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', sql.lit('given_up'))
    .executeTakeFirstOrThrow();
  return count;
}

/** It reads rows `delivery` and `recipient`. */
export function matches({ channel, kind, search }: Filters): RawBuilder<SqlBool> {
  return sql<SqlBool>`(delivery.status = 'given_up'
    and ${channel === undefined ? sql`true` : sql`channel = ${channel}`}
    and ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
    and ${isFoundByWords(search ?? '', searchedText)})`;
}

export const givenUp = sql`
  from deliveries delivery left join profiles recipient on recipient.id = delivery.recipient_id`;

const recipientName = sql`case when recipient.deleted_at is null then recipient.full_name end`;
const shownAddress = sql`case when channel <> 'push' then delivery.address end`;
const searchedText = sql`concat_ws(' ', case when recipient.deleted_at is null then recipient.search_text end,
  folded_words(concat_ws(' ', ${shownAddress}, last_error)))`;

async function findCounts(db: Db, filters: Filters) {
  const found = await sql<{ matching: number; retryable: number; kinds: string[] }>`
    select count(*) filter (where ${matches(filters)})::int as matching,
      count(*) filter (where ${matches(filters)} and ${canBeRetried} and ${isSurelyLost})::int as retryable,
      coalesce(array_agg(distinct kind order by kind), '{}') as kinds
    ${givenUp} where delivery.status = 'given_up'`.execute(db);
  return found.rows[0] ?? { matching: 0, retryable: 0, kinds: [] };
}
