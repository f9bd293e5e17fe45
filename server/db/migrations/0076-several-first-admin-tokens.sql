-- Each start of an instance without an admin prints a link; those of earlier starts stay good until one of them is used.
alter table auth.first_admin_token drop constraint first_admin_token_pkey;
alter table auth.first_admin_token drop column is_only_row;
alter table auth.first_admin_token add primary key (token_hash);
