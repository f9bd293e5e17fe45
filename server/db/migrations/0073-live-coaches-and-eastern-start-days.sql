-- A course is begun on the day of the programme's zone, not on that of the database's clock.
alter table user_courses alter column start_date set default (now() at time zone 'America/New_York')::date;

-- Who came back to a course was given the coach of then again, also one who had another role or was deleted since.
-- Without a coach they stand in the list of those who wait for one.
update user_courses set coach_id = null
where status = 'enrolled' and coach_id is not null
  and not exists (select from profiles where id = coach_id and role = 'coach' and deleted_at is null);
