-- What replaced a review while the week's pay was undecided; the review itself stays on its round. The latest counts.
create table review_corrections (
  id uuid primary key default time_ordered_id(),
  submission_id uuid not null,
  round_number integer not null,
  review_status text not null check (review_status in ('needs_revision', 'accepted', 'rejected')),
  feedback text not null check (feedback <> ''),
  points_earned numeric(7, 2) check (points_earned >= 0),
  reason text not null check (reason <> ''),
  corrected_by uuid not null references profiles (id),
  corrected_at timestamptz not null,
  foreign key (submission_id, round_number) references submission_rounds (submission_id, round_number)
);
create index review_corrections_by_round on review_corrections (submission_id, round_number, corrected_at desc);
create trigger review_corrections_are_immutable before update on review_corrections
  for each statement execute function refuse_change();
create trigger review_corrections_stay before delete on review_corrections
  for each statement execute function refuse_change();
