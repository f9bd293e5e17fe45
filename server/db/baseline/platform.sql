-- What every room stands on: extensions, ids, and the functions that several rooms hang onto their tables.
create extension if not exists btree_gist;
create extension if not exists citext;
create extension if not exists pg_trgm;

-- A time-ordered id (RFC 9562 version 7). PostgreSQL has its own uuidv7() only since version 18.
create function time_ordered_id() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- The database shows that it takes writes only by taking one. This is the one row that /readyz writes.
create table readiness_checks (
  is_only_row boolean primary key default true check (is_only_row),
  checked_at timestamptz not null
);

-- Calendar programs take over a change of an event only when its sequence has grown.
create function count_calendar_change() returns trigger language plpgsql as $$
begin
  new.calendar_sequence := old.calendar_sequence + 1;
  new.updated_at := now();
  return new;
end $$;

-- A table whose trigger calls this is append-only.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- Nobody decides, pays, rates or reviews what is their own, whatever their role is now. Each room names the columns
-- that say who decided. Only a new name in such a column is looked at.
create function refuse_own() returns trigger language plpgsql as $$
begin
  raise exception 'nobody decides about what is their own';
end $$;

create function utc_text(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
