-- The list of one assignment's submissions, and of each assignment that a search finds, in its order.
create index content_submissions_by_assignment on content_submissions (assignment_id, submitted_at desc, id desc);
