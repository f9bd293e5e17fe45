-- What changed, and for whom (docs/decisions/0060). The triggers below write it beside the facts themselves, and know
-- no rule. The product takes its own notes up before the transaction commits. A job takes up what a writer beside the
-- product leaves. Null stands for everybody, all cohorts, all weeks.
create table fact_changes (
  id bigint primary key generated always as identity,
  transaction_id xid8 not null default pg_current_xact_id(),
  fact text not null check (fact in
    ('attendance', 'work', 'rating', 'membership', 'person', 'completion', 'track', 'taught')),
  person_id uuid,
  cohort_id uuid,
  week_number integer,
  -- What a cohort is taught is a fact of all its members.
  constraint facts_are_of_somebody check ((person_id is null) = (fact = 'taught'))
);

create index fact_changes_by_transaction on fact_changes (transaction_id);

-- Facts of one person.

create function note_attendance() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, person_id, cohort_id, week_number)
  select distinct 'attendance', changed.fellow_id, activity.cohort_id, coalesce(activity.week_number, changed.week_number)
  from changed_rows changed left join training_activities activity on activity.id = changed.content_id;
  return null;
end $$;

create function note_work() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, person_id, cohort_id, week_number)
  select distinct 'work', changed.user_id, activity.cohort_id, activity.week_number
  from changed_rows changed
  left join content_assignments assignment on assignment.id = changed.assignment_id
  left join content_items item on item.id = assignment.content_item_id
  left join training_activities activity on activity.id = item.training_activity_id;
  return null;
end $$;

create function note_rating() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, person_id, cohort_id, week_number)
  select distinct 'rating', fellow_id, cohort_id, week_number from changed_rows;
  return null;
end $$;

create function note_membership() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, person_id, cohort_id)
  select distinct 'membership', participant_id, cohort_id from changed_rows;
  return null;
end $$;

-- Progress writes the completions that follow from facts. Only those that somebody set by hand are facts themselves.
create function note_completion() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, person_id, cohort_id)
  select distinct 'completion', participant_id, cohort_id from changed_rows where set_by is not null;
  return null;
end $$;

create function note_track() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, person_id, cohort_id)
  select distinct 'track', participant_id, cohort_id from changed_rows;
  return null;
end $$;

create function note_person() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, person_id)
  select 'person', changed.id
  from changed_rows changed join earlier_rows earlier using (id)
  where (changed.track_type, changed.role, changed.deleted_at)
    is distinct from (earlier.track_type, earlier.role, earlier.deleted_at);
  return null;
end $$;

-- What a cohort is taught, and when.

create function note_taught_of_cohort() returns trigger language plpgsql as $$
begin
  insert into fact_changes (fact, cohort_id) select distinct 'taught', cohort_id from changed_rows;
  return null;
end $$;

-- What was below an activity goes with it, and is noted with it.
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

-- Every table of facts has the same triggers. A row of what is taught can move: its former place is noted too.
do $$
declare
  facts record;
begin
  for facts in
    select * from (values
      ('attendance_records', 'note_attendance', false),
      ('content_submissions', 'note_work', false),
      ('performance_feedback', 'note_rating', false),
      ('cohort_participants', 'note_membership', false),
      ('participant_module_completions', 'note_completion', false),
      ('track_selections', 'note_track', false),
      ('training_activities', 'note_taught_of_cohort', true),
      ('weekly_requirements', 'note_taught_of_cohort', true),
      ('content_items', 'note_taught_content', true),
      ('content_assignments', 'note_taught_assignment', true),
      ('course_modules', 'note_taught_module', true)) as listed (table_name, note, can_move)
  loop
    execute format('create trigger additions_are_noted after insert on %I
      referencing new table as changed_rows for each statement execute function %I()', facts.table_name, facts.note);
    execute format('create trigger changes_are_noted after update on %I
      referencing new table as changed_rows for each statement execute function %I()', facts.table_name, facts.note);
    execute format('create trigger removals_are_noted after delete on %I
      referencing old table as changed_rows for each statement execute function %I()', facts.table_name, facts.note);
    if facts.can_move then
      execute format('create trigger former_places_are_noted after update on %I
        referencing old table as changed_rows for each statement execute function %I()', facts.table_name, facts.note);
    end if;
  end loop;
end $$;

-- People and cohorts are noted only for what counts in the rules, which takes the earlier row.
create trigger changes_are_noted after update on profiles
  referencing old table as earlier_rows new table as changed_rows for each statement execute function note_person();
create trigger changes_are_noted after update on cohorts
  referencing old table as earlier_rows new table as changed_rows for each statement execute function note_cohort();
