-- A review that its reviewer took back within a minute. It was said to nobody, so its words stay with its reviewer, as
-- a draft. The round is open again.
create table review_retractions (
  submission_id uuid not null,
  round_number integer not null,
  reviewed_by uuid not null references profiles (id),
  review_status text not null check (review_status in ('needs_revision', 'accepted', 'rejected')),
  reviewed_at timestamptz not null,
  retracted_at timestamptz not null,
  primary key (submission_id, round_number, reviewed_at),
  foreign key (submission_id, round_number) references submission_rounds (submission_id, round_number),
  constraint reviews_are_taken_back_at_once
    check (retracted_at >= reviewed_at and retracted_at < reviewed_at + interval '1 minute')
);
create trigger review_retractions_are_immutable before update on review_retractions
  for each statement execute function refuse_change();
create trigger review_retractions_stay before delete on review_retractions
  for each statement execute function refuse_change();

-- What was handed in, and what was said of it, never changes. A review is written once onto its round. It leaves the
-- round only if it was taken back.
create or replace function keep_round() returns trigger language plpgsql as $$
declare
  is_taken_back boolean := (new.review_status, new.feedback, new.points_earned, new.reviewed_by, new.reviewed_at) is null
    and exists (select from review_retractions taken where taken.submission_id = old.submission_id
      and taken.round_number = old.round_number and taken.reviewed_at = old.reviewed_at);
begin
  if (old.reviewed_at is not null and not is_taken_back)
     or (new.submission_id, new.round_number, new.submission_text, new.file_path, new.submitted_at)
        is distinct from (old.submission_id, old.round_number, old.submission_text, old.file_path, old.submitted_at) then
    raise exception 'a submission round is immutable';
  end if;
  return new;
end $$;

-- A comment that a reviewer keeps for reviews to come. A shared one stays without a name if its author is deleted.
create table saved_comments (
  id uuid primary key default time_ordered_id(),
  owner_id uuid references profiles (id),
  is_shared boolean not null default false,
  title text not null check (title = btrim(title) and length(title) between 1 and 80),
  comment_text text not null check (btrim(comment_text) <> '' and length(comment_text) <= 4000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint own_comments_are_somebodys check (owner_id is not null or is_shared)
);
create index saved_comments_by_owner on saved_comments (owner_id, title, id);
create index saved_comments_shared on saved_comments (title, id) where is_shared;

create or replace function forget_person() returns trigger language plpgsql as $$
begin
  perform forget_in_log(array[new.id]);
  perform forget_undecided_stipends(array[new.id]);
  delete from person_notes where person_id = new.id;
  delete from saved_comments where owner_id = new.id and not is_shared;
  update saved_comments set owner_id = null where owner_id = new.id;
  update stipend_eligibility set updated_at = now() where fellow_id = new.id and payee_name is not null;
  return null;
end $$;

-- When a coach completed a session or marked a no-show. For a short while they can open it again.
alter table coaching_sessions add column closed_at timestamptz,
  add constraint open_sessions_were_not_closed check (closed_at is null or status in ('completed', 'no_show'));
