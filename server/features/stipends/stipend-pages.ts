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
  overallEligible: boolean | null;
  createdAtExactly: string;
  nameKey: string;
  cohortKey: string;
  statusKey: number;
  stipendAmountCents: number;
}

interface Order {
  pages: ReturnType<typeof pagesBy>;
  placeOf: (row: Keys) => Place;
}

const inOrder = (name: StipendOrder, parts: [KeyPart, ...KeyPart[]], placeOf: Order['placeOf']): Order => ({
  pages: pagesBy(50, parts, name),
  placeOf,
});

/** The orders of a week's stipends. An index answers the usual one. The others put one week's rows in order. */
export const stipendOrders: Record<StipendOrder, Order> = {
  eligible: inOrder(
    'eligible',
    [
      descending(byYesOrNo(sql`stipends.overall_eligible`)),
      descending(byInstant(sql`stipends.created_at`)),
      descending(byId(id)),
    ],
    (row) => [Boolean(row.overallEligible), row.createdAtExactly, row.id],
  ),
  name: inOrder('name', [byText(nameKey), byId(id)], (row) => [row.nameKey, row.id]),
  nameFromZ: inOrder('nameFromZ', [descending(byText(nameKey)), descending(byId(id))], (row) => [row.nameKey, row.id]),
  cohort: inOrder('cohort', [byText(cohortKey), byText(nameKey), byId(id)], (row) => [
    row.cohortKey,
    row.nameKey,
    row.id,
  ]),
  largest: inOrder('largest', [descending(byInteger(amount)), descending(byId(id))], (row) => [
    row.stipendAmountCents,
    row.id,
  ]),
  smallest: inOrder('smallest', [byInteger(amount), byId(id)], (row) => [row.stipendAmountCents, row.id]),
  status: inOrder('status', [byInteger(statusKey), byText(nameKey), byId(id)], (row) => [
    row.statusKey,
    row.nameKey,
    row.id,
  ]),
};
