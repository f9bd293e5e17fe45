-- What somebody never handed in comes from the index alone too.
drop index content_submissions_by_user;
create index content_submissions_by_user on content_submissions (user_id, submitted_at desc) include (status, assignment_id);
