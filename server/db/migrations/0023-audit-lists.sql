-- The audit log is read by who acted, by what was done and by the record, each latest first.
create index audit_log_by_actor on audit_log (actor_id, at desc, id desc);
create index audit_log_by_action on audit_log (action, at desc, id desc);
create index audit_log_of_subject on audit_log (subject_id, at desc, id desc);
create index audit_log_by_kind on audit_log (subject_type, at desc, id desc);
drop index audit_log_by_subject;
