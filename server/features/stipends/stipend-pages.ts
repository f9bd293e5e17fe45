import { sql } from 'kysely';
import type { StipendOrder } from '#contract/stipends.ts';
import {
  byId,
  byInstant,
  byInteger,
  byText,
  byYesOrNo,
  descending,
  type KeyPart,
  pagesBy,
} from '#server/platform/pages.ts';

/** The names, as they are put in order. */
const nameKey = sql<string>`lower(fellow.full_name)`;
const cohortKey = sql<string>`coalesce(lower(cohorts.name), '')`;
const statusKey = sql<number>`array_position(array['pending', 'approved', 'paid', 'denied'], stipends.payment_status)`;
const amount = sql`stipends.stipend_amount_cents`;
const id = sql`stipends.id`;

/** The orders of a week's stipends. An index answers the usual one. The others put one week's rows in order. */
const orders: Record<StipendOrder, [KeyPart, ...KeyPart[]]> = {
  eligible: [
    descending(byYesOrNo(sql`stipends.overall_eligible`)),
    descending(byInstant(sql`stipends.created_at`)),
    descending(byId(id)),
  ],
  name: [byText(nameKey), byId(id)],
  nameFromZ: [descending(byText(nameKey)), descending(byId(id))],
  cohort: [byText(cohortKey), byText(nameKey), byId(id)],
  largest: [descending(byInteger(amount)), descending(byId(id))],
  smallest: [byInteger(amount), byId(id)],
  status: [byInteger(statusKey), byText(nameKey), byId(id)],
};

/** A page's cursor is refused by every other order. */
export function stipendPagesIn(order: StipendOrder) {
  return pagesBy(50, orders[order], order);
}
