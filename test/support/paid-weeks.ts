import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { buildAdmin } from '../factories/people.ts';

const oneInTakenBack = 4;

/** Each cohort's week is approved, handed over in a batch and paid. Some payments are taken back and paid anew. */
export async function payWeekOfAll(db: Db, week: number): Promise<void> {
  const { id: adminId } = await buildAdmin(db);
  await sql`
    update stipend_eligibility set payment_status = 'approved', approved_by = ${adminId}, approved_at = now(),
      payee_name = person.full_name, payee_email = person.email
    from profiles person where person.id = fellow_id and week_number = ${week}`.execute(db);
  await sql`
    insert into stipend_handovers (week_number, cohort_id, body, recipients, total_cents, status, created_by, sent_at)
    select ${week}, cohort_id, '{}', count(*), sum(stipend_amount_cents), 'sent', ${adminId}, now()
    from stipend_eligibility where week_number = ${week} group by cohort_id`.execute(db);
  await sql`
    insert into stipend_handover_rows (handover_id, stipend_id, amount_cents, participant_email)
    select batch.id, stipend.id, stipend_amount_cents, payee_email
    from stipend_eligibility stipend join stipend_handovers batch using (cohort_id, week_number)
    where week_number = ${week}`.execute(db);
  const pay = () =>
    sql`
      insert into stipend_payment_parts (stipend_id, amount_cents, source, handover_id, reference)
      select stipend_id, amount_cents, 'confirmation', handover_id, 'ACH-1' from stipend_handover_rows
      where not exists (select from standing_payment_parts paid where paid.stipend_id = stipend_handover_rows.stipend_id)`.execute(
      db,
    );
  await pay();
  await sql`
    insert into stipend_payment_reversals (payment_id, reversed_by, reason)
    select id, ${adminId}, 'The account is closed.'
    from (select id, row_number() over (order by id) as place from stipend_payment_parts) as paid
    where place % ${oneInTakenBack} = 0`.execute(db);
  await pay();
  await sql`update stipend_eligibility set payment_status = 'paid' where week_number = ${week}`.execute(db);
}
