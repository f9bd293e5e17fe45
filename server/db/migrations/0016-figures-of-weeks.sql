-- The figures of a cohort add up attendance and pay of all its weeks, from the index alone.
drop index stipend_eligibility_by_cohort_week;
create index stipend_eligibility_by_cohort_week
  on stipend_eligibility (cohort_id, week_number, overall_eligible desc, created_at desc, id desc)
  include (fellow_id, payment_status, stipend_amount_cents, amount_setters, version, activities_total, activities_accessed);
