-- Whether a byte of a try can have reached the receiver: not where no connection was ever made. Until a try says so, and
-- for one that was cut off, it can.
alter table stipend_handover_tries add column may_have_arrived boolean not null default true;
update stipend_handover_tries set may_have_arrived = false
where response_status is null
  and (error like 'No receiver is set up: %'
    or error like 'The receiver''s address % is in a private network, which is not allowed here.'
    or error = 'The receiver could not be reached (ECONNREFUSED).');
