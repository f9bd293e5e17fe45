-- The sign-in library that was here before any release wrote these columns. Nothing writes or reads them.
alter table auth.account
  drop column access_token,
  drop column refresh_token,
  drop column id_token,
  drop column access_token_expires_at,
  drop column refresh_token_expires_at,
  drop column scope;
alter table auth."user" drop column image;
