-- A week keeps how it was judged: a list of criteria, however long, by the rule set of its version. What follows from
-- changed facts is derived by the product before it commits (decision 72); the database only notes what changed.
alter table stipend_eligibility add column criteria jsonb;

-- What was judged before there was a list, in the words of then.
update stipend_eligibility set rules_version = 1, criteria = jsonb_build_array(
  jsonb_build_object('name', 'Attendance', 'isMet', attendance_eligible, 'about', 'activities',
    'standing', activities_accessed || ' of ' || activities_total,
    'percentage', case when activities_total = 0 then 100 else 100.0 * activities_accessed / activities_total end,
    'reason', case when activities_total = 0 then 'No activities this week' else
      activities_accessed || ' of ' || activities_total || ' activities attended ('
        || floor(100.0 * activities_accessed / activities_total) || '%)'
        || case when attendance_eligible then '' else ', 80% needed' end end,
    'stillNeeded', case when attendance_eligible then '[]' else jsonb_build_array(
      greatest(1, ceil(activities_total * 0.8)::integer - activities_accessed) || ' more activities') end),
  jsonb_build_object('name', 'Assignments', 'isMet', assignment_eligible, 'about', 'assignments',
    'standing', assignments_submitted || ' of ' || assignments_total,
    'percentage', case when assignments_total = 0 then 100 else 100.0 * assignments_submitted / assignments_total end,
    'reason', case when assignments_total = 0 then 'No assignments this week'
      else assignments_submitted || ' of ' || assignments_total || ' handed in' end,
    'stillNeeded', case when assignment_eligible then '[]' else jsonb_build_array(
      assignments_total - assignments_submitted || ' more assignments') end),
  jsonb_build_object('name', 'Performance', 'isMet', performance_eligible, 'about', 'rating',
    'standing', coalesce(performance_rating || ' of 5', 'Not rated yet'),
    'percentage', coalesce(20 * performance_rating, 0),
    'reason', coalesce('Rated ' || performance_rating || ' of 5', 'Not rated yet')
      || case when performance_eligible then '' else ', 3.0 needed' end,
    'stillNeeded', case when performance_eligible then '[]' else jsonb_build_array('a rating of 3.0 or more') end));

drop index stipend_eligibility_by_week;
alter table stipend_eligibility
  alter column criteria set not null,
  alter column rules_version drop default,
  drop column overall_eligible,
  drop column attendance_eligible,
  drop column assignment_eligible,
  drop column performance_eligible;
alter table stipend_eligibility
  add constraint criteria_are_judged check (jsonb_typeof(criteria) = 'array' and criteria <> '[]'
    and not jsonb_path_exists(criteria, '$[*] ? (!(@.isMet == true || @.isMet == false))')),
  add column overall_eligible boolean not null generated always as
    (is_member and not jsonb_path_exists(criteria, '$[*] ? (@.isMet == false)')) stored,
  -- As the documents name them; null where the rule set has no such criterion. The product reads the list.
  add column attendance_eligible boolean generated always as
    ((jsonb_path_query_first(criteria, '$[*] ? (@.name == "Attendance").isMet'))::boolean) stored,
  add column assignment_eligible boolean generated always as
    ((jsonb_path_query_first(criteria, '$[*] ? (@.name == "Assignments").isMet'))::boolean) stored,
  add column performance_eligible boolean generated always as
    ((jsonb_path_query_first(criteria, '$[*] ? (@.name == "Performance").isMet'))::boolean) stored;
create index stipend_eligibility_by_week on stipend_eligibility (week_number, overall_eligible desc, created_at desc, id desc);

-- What changed, for whom: written by the triggers below beside the facts themselves, taken up before the transaction
-- commits, or, after a writer beside the product, by a job. Null stands for everybody, all cohorts, all weeks.
create table fact_changes (
  id bigint primary key generated always as identity,
  transaction_id xid8 not null default pg_current_xact_id(),
  fact text not null check (fact in ('attendance', 'work', 'rating', 'membership', 'person', 'completion', 'track')),
  person_id uuid,
  cohort_id uuid,
  week_number integer
);
create index fact_changes_by_transaction on fact_changes (transaction_id);

drop trigger attendance_added on attendance_records;
drop trigger attendance_changed on attendance_records;
drop trigger attendance_removed on attendance_records;
drop trigger submission_added on content_submissions;
drop trigger submission_changed on content_submissions;
drop trigger submission_removed on content_submissions;
drop trigger rating_added on performance_feedback;
drop trigger rating_changed on performance_feedback;
drop trigger rating_removed on performance_feedback;
drop trigger membership_changed on cohort_participants;
drop trigger membership_removed on cohort_participants;
drop trigger person_changed on profiles;
drop function follow_attendance();
drop function follow_submission();
drop function follow_rating();
drop function follow_membership();
drop function follow_person();
drop function process_weekly_stipends(uuid, integer, uuid);
drop function stipend_facts(uuid, integer, uuid);

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

-- Progress writes the completions that follow from facts: only those set by hand are facts themselves.
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
create trigger changes_are_noted after update on profiles
  referencing old table as earlier_rows new table as changed_rows for each statement execute function note_person();

do $$
declare
  noted record;
begin
  for noted in
    select * from (values ('attendance_records', 'note_attendance'), ('content_submissions', 'note_work'),
      ('performance_feedback', 'note_rating'), ('cohort_participants', 'note_membership'),
      ('participant_module_completions', 'note_completion'), ('track_selections', 'note_track')) as facts (table_name, note)
  loop
    execute format('create trigger additions_are_noted after insert on %I
      referencing new table as changed_rows for each statement execute function %I()', noted.table_name, noted.note);
    execute format('create trigger changes_are_noted after update on %I
      referencing new table as changed_rows for each statement execute function %I()', noted.table_name, noted.note);
    execute format('create trigger removals_are_noted after delete on %I
      referencing old table as changed_rows for each statement execute function %I()', noted.table_name, noted.note);
  end loop;
end $$;
