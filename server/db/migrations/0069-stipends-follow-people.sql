-- A track, a role or a deletion that changes after the row was made changes the row while it is undecided.
create function follow_person() returns trigger language plpgsql as $$
begin
  perform process_weekly_stipends(cohort_id, week_number, fellow_id) from (
    select stipend.cohort_id, stipend.week_number, stipend.fellow_id
    from changed_rows
    join earlier_rows using (id)
    join stipend_eligibility stipend on stipend.fellow_id = changed_rows.id
    where (changed_rows.track_type, changed_rows.role, changed_rows.deleted_at)
        is distinct from (earlier_rows.track_type, earlier_rows.role, earlier_rows.deleted_at)
      and stipend.payment_status = 'pending'
    order by 1, 2, 3) touched;
  return null;
end $$;
create trigger person_changed after update on profiles
  referencing old table as earlier_rows new table as changed_rows for each statement execute function follow_person();
