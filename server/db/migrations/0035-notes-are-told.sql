-- Tells the connection that facts were noted, so that its transaction does not have to ask. An info is sent whatever the
-- connection has set for its messages.
create function tell_of_notes() returns trigger language plpgsql as $$
begin
  if exists (select from new_notes) then
    raise info 'Facts have changed.' using errcode = 'SW001';
  end if;
  return null;
end $$;

create trigger notes_are_told after insert on fact_changes
  referencing new table as new_notes for each statement execute function tell_of_notes();
