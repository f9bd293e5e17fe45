-- The cards above a week sum up everybody's week. A row is about 4 kB, because its evidence lies in it, so the indexes hold
-- what the cards need.
drop index stipend_eligibility_by_week;
create index stipend_eligibility_by_week
  on stipend_eligibility (week_number, overall_eligible desc, created_at desc, id desc)
  include (cohort_id, fellow_id, payment_status, stipend_amount_cents, amount_setters, version);
drop index stipend_eligibility_by_cohort_week;
create index stipend_eligibility_by_cohort_week
  on stipend_eligibility (cohort_id, week_number, overall_eligible desc, created_at desc, id desc)
  include (fellow_id, payment_status, stipend_amount_cents, amount_setters, version);
-- PostgreSQL reads a row beside its index until a vacuum has seen it. A week of 10,000 people is 6 % of the table, and an
-- average table is looked after when a fifth of it is new.
alter table stipend_eligibility set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- The same rule. Where nobody was first nobody is bound to them, so a list of weeks does not look it up for each of its
-- rows.
create or replace function may_be_second(in_admin_id uuid, in_first_ids uuid[]) returns boolean language sql stable as $$
  select case when cardinality(array_remove(in_first_ids, null)) = 0 then true
    else not coalesce(in_admin_id = any(array_remove(in_first_ids, null) || bound_admins(in_first_ids)), false) end
$$;
