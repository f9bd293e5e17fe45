import { sql } from 'kysely';
import type { StipendOrder } from '#contract/stipends.ts';
import {
  byId,
  byInstant,
  byInteger,
  byText,
  byYesOrNo,
  descending,
  exactly,
  type KeyPart,
  type Place,
  pagesBy,
} from '#server/platform/pages.ts';

/** The names, as they are put in order. They are facts of a row, because a cursor holds them. */
const nameKey = sql<string>`lower(fellow.full_name)`;
const cohortKey = sql<string>`coalesce(lower(cohorts.name), '')`;
const statusKey = sql<number>`array_position(array['pending', 'approved', 'paid', 'denied'], stipends.payment_status)`;
const amount = sql`stipends.stipend_amount_cents`;
const id = sql`stipends.id`;

export const stipendKeys = [
  nameKey.as('nameKey'),
  cohortKey.as('cohortKey'),
  statusKey.as('statusKey'),
  exactly(sql`stipends.created_at`).as('createdAtExactly'),
] as const;

interface Keys {
  id: string;
  overallEligible: boolean;
  createdAtExactly: string;
  nameKey: string;
  cohortKey: string;
  statusKey: number;
  stipendAmountCents: number;
}

interface Order {
  parts: [KeyPart, ...KeyPart[]];
  placeOf: (row: Keys) => Place;
}

/** The orders of a week's stipends. An index answers the usual one. The others put one week's rows in order. */
const orders: Record<StipendOrder, Order> = {
  eligible: {
    parts: [
      descending(byYesOrNo(sql`stipends.overall_eligible`)),
      descending(byInstant(sql`stipends.created_at`)),
      descending(byId(id)),
    ],
    placeOf: (row) => [row.overallEligible, row.createdAtExactly, row.id],
  },
  name: { parts: [byText(nameKey), byId(id)], placeOf: (row) => [row.nameKey, row.id] },
  nameFromZ: {
    parts: [descending(byText(nameKey)), descending(byId(id))],
    placeOf: (row) => [row.nameKey, row.id],
  },
  cohort: {
    parts: [byText(cohortKey), byText(nameKey), byId(id)],
    placeOf: (row) => [row.cohortKey, row.nameKey, row.id],
  },
  largest: {
    parts: [descending(byInteger(amount)), descending(byId(id))],
    placeOf: (row) => [row.stipendAmountCents, row.id],
  },
  smallest: { parts: [byInteger(amount), byId(id)], placeOf: (row) => [row.stipendAmountCents, row.id] },
  status: {
    parts: [byInteger(statusKey), byText(nameKey), byId(id)],
    placeOf: (row) => [row.statusKey, row.nameKey, row.id],
  },
};

/** A page's cursor is refused by every other order. */
export function stipendPagesIn(order: StipendOrder) {
  const { parts, placeOf } = orders[order];
  return { pages: pagesBy(50, parts, order), placeOf };
}
