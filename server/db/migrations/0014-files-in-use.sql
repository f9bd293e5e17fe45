-- Whether a stored file is in use is asked whenever one is removed.
create index content_submissions_by_file on content_submissions (file_path) where file_path is not null;
create index assignment_drafts_by_file on assignment_drafts (file_path) where file_path is not null;
create index content_items_by_file on content_items (file_path) where file_path is not null;
create index coach_messages_by_file on coach_messages (file_path) where file_path is not null;

-- What waits, of a coach's own participants.
create index content_submissions_waiting_by_user on content_submissions (user_id, submitted_at, id)
  where status = 'submitted';
