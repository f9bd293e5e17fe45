-- A week's first rows and the facts of its cohort wait for each other (docs/decisions/0075). A fact that commits while
-- the rows are made would be in none of them: whoever wrote it saw no row that should follow.
create function weeks_lock(cohort_id uuid) returns bigint language sql immutable strict parallel safe as $$
  select hashtextextended('stipend weeks ' || cohort_id, 0)
$$;

-- A note without a cohort counts in all of the person's. One without a person either counts in every cohort.
create function hold_new_weeks() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(weeks_lock(noted.cohort_id)) from (
    select cohort_id from new_notes where cohort_id is not null and fact not in ('completion', 'track')
    union
    select membership.cohort_id from new_notes note
    join cohort_participants membership on membership.participant_id = note.person_id
    where note.cohort_id is null
    union
    select cohorts.id from cohorts
    where exists (select from new_notes note where note.cohort_id is null and note.person_id is null)
    order by cohort_id) noted;
  return null;
end $$;

create trigger new_weeks_are_held after insert on fact_changes
  referencing new table as new_notes for each statement execute function hold_new_weeks();
