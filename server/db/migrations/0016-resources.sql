-- An edit names the version that it began with; a link is opened by browsers, so only the web's own schemes are kept.
alter table resources
  add column version integer not null default 1,
  add constraint resources_file_url_is_of_the_web check (file_url ~* '^https?://');

create index resources_by_age on resources (created_at, id);
create index resources_by_title on resources (lower(title), id);
create index resources_by_program on resources (program, created_at, id);
