-- What staff note about a person. Nobody changes a note. The author or an admin removes it. A deletion of the person
-- removes all of theirs.
create table person_notes (
  id uuid primary key default time_ordered_id(),
  person_id uuid not null references profiles (id),
  author_id uuid not null references profiles (id),
  kind text not null check (kind in ('staff', 'restricted')),
  note text not null check (note <> ''),
  written_at timestamptz not null default now(),
  constraint nobody_notes_about_themself check (author_id <> person_id)
);
create index person_notes_by_person on person_notes (person_id, written_at desc, id desc);
create index person_notes_by_author on person_notes (author_id);

create trigger notes_stay_as_written before update on person_notes for each row execute function refuse_change();

create or replace function forget_person() returns trigger language plpgsql as $$
begin
  perform forget_in_log(array[new.id]);
  perform forget_undecided_stipends(array[new.id]);
  delete from person_notes where person_id = new.id;
  update stipend_eligibility set updated_at = now() where fellow_id = new.id and payee_name is not null;
  return null;
end $$;

-- A person's page reads one page of what happened, whatever its length. The same index answers when somebody last
-- completed an activity themself.
drop index attendance_records_by_themselves;
create index attendance_records_by_fellow on attendance_records (fellow_id, accessed_at desc) include (recorded_by);
create index deliveries_given_up_by_event on deliveries (event_id) where status = 'given_up' and event_id is not null;
