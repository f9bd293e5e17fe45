-- Parts that were not taken back. "offset 0" has PostgreSQL look each part up by its key. It read all of the parts that
-- were taken back for each stipend of a list.
create or replace view standing_payment_parts as
select parts.stipend_id, parts.amount_cents, parts.paid_at, parts.source, parts.recorded_by, parts.reference, parts.note,
  parts.id, parts.part, parts.reversals_before, parts.handover_id
from stipend_payment_parts parts
where not exists (select from stipend_payment_reversals reversals where reversals.payment_id = parts.id offset 0);
