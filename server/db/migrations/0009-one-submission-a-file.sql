-- A file is handed in with one submission only, through as many of its rounds as it stays. Of two requests at the same
-- moment the database lets one through.
alter table submission_rounds add constraint one_submission_a_file
  exclude using gist (file_path with =, submission_id with <>) where (file_path is not null);
