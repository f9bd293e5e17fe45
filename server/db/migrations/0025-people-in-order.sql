-- The people whom the audit log can be narrowed to, by their names. All were sorted to show the first twenty.
create index profiles_by_first_name on profiles (first_name, last_name, id);
