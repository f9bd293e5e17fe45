-- Two audiences of a programme can change their names with each other in one act.
drop index programme_audiences_by_label;
alter table programme_audiences add constraint programme_audiences_by_label
  exclude using btree (programme_id with =, lower(label) with =) deferrable initially deferred;
