-- What a cohort is taught, and when, are facts of all its members: noted like theirs, for a cohort; without one, for all.
alter table fact_changes drop constraint fact_changes_fact_check;
alter table fact_changes add constraint fact_changes_fact_check check (
  fact in ('attendance', 'work', 'rating', 'membership', 'person', 'completion', 'track', 'taught'));
alter table fact_changes add constraint facts_are_of_somebody check ((person_id is null) = (fact = 'taught'));

create function note_taught_of_cohort() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, cohort_id) select distinct 'taught', cohort_id from changed_rows;
  return null;
end $$;

-- What was below an activity that is gone went with it, and was noted with it.
create function note_taught_content() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, cohort_id)
  select distinct 'taught', activity.cohort_id
  from changed_rows changed join training_activities activity on activity.id = changed.training_activity_id;
  return null;
end $$;

create function note_taught_assignment() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, cohort_id)
  select distinct 'taught', activity.cohort_id
  from changed_rows changed
  join content_items item on item.id = changed.content_item_id
  join training_activities activity on activity.id = item.training_activity_id;
  return null;
end $$;

create function note_taught_module() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, cohort_id)
  select distinct 'taught', cohorts.id
  from changed_rows changed join cohorts on cohorts.curriculum_version = changed.curriculum_version;
  return null;
end $$;

create function note_cohort() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, cohort_id)
  select 'taught', changed.id
  from changed_rows changed join earlier_rows earlier using (id)
  where (changed.start_date, changed.end_date, changed.curriculum_version)
    is distinct from (earlier.start_date, earlier.end_date, earlier.curriculum_version);
  return null;
end $$;
create trigger changes_are_noted after update on cohorts
  referencing old table as earlier_rows new table as changed_rows for each statement execute function note_cohort();

do $$
declare
  noted record;
begin
  for noted in
    select * from (values ('training_activities', 'note_taught_of_cohort'), ('weekly_requirements', 'note_taught_of_cohort'),
      ('content_items', 'note_taught_content'), ('content_assignments', 'note_taught_assignment'),
      ('course_modules', 'note_taught_module')) as facts (table_name, note)
  loop
    execute format('create trigger additions_are_noted after insert on %I
      referencing new table as changed_rows for each statement execute function %I()', noted.table_name, noted.note);
    -- From where it was, and where it is now.
    execute format('create trigger changes_are_noted after update on %I
      referencing new table as changed_rows for each statement execute function %I()', noted.table_name, noted.note);
    execute format('create trigger former_places_are_noted after update on %I
      referencing old table as changed_rows for each statement execute function %I()', noted.table_name, noted.note);
    execute format('create trigger removals_are_noted after delete on %I
      referencing old table as changed_rows for each statement execute function %I()', noted.table_name, noted.note);
  end loop;
end $$;
