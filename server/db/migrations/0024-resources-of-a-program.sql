-- A resource is for the participants of one program, or of every program, as all were so far (docs/decisions/0097).
alter table resources add column programme_id uuid references programmes (id);
create index resources_of_programme on resources (programme_id, created_at, id) where programme_id is not null;
