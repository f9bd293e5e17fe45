-- Nobody decides, pays, rates or reviews what is their own, whatever role they have by now. Rows of before stay as they
-- are: only who is named anew is looked at.
create function refuse_own() returns trigger language plpgsql as $$
begin
  raise exception 'nobody decides about what is their own';
end $$;

create trigger own_stipends_are_not_decided before insert on stipend_eligibility for each row
  when (new.fellow_id in (new.approved_by, new.first_approved_by, new.amount_set_by, new.amount_approved_by))
  execute function refuse_own();
create trigger own_stipends_stay_undecided before update on stipend_eligibility for each row
  when (new.approved_by = new.fellow_id and new.approved_by is distinct from old.approved_by
    or new.first_approved_by = new.fellow_id and new.first_approved_by is distinct from old.first_approved_by
    or new.amount_set_by = new.fellow_id and new.amount_set_by is distinct from old.amount_set_by
    or new.amount_approved_by = new.fellow_id and new.amount_approved_by is distinct from old.amount_approved_by)
  execute function refuse_own();
alter table stipend_eligibility enable always trigger own_stipends_are_not_decided;
alter table stipend_eligibility enable always trigger own_stipends_stay_undecided;

-- Whatever is done about money has a line here: one rule for decisions, amounts, hand-overs, payments and reversals. A
-- batch that holds an own row too may be recalled: nothing is paid by that.
alter table stipend_ledger add constraint nobody_acts_on_their_own
  check (kind = 'recall' or actor_id is distinct from fellow_id) not valid;

create trigger own_questions_are_not_answered before insert or update of answered_by on stipend_questions for each row
  when (new.answered_by = new.participant_id) execute function refuse_own();
alter table stipend_questions enable always trigger own_questions_are_not_answered;

create trigger own_weeks_are_not_rated before insert or update of rated_by on performance_feedback for each row
  when (new.rated_by = new.fellow_id) execute function refuse_own();
create trigger own_attendance_is_not_recorded before insert or update of recorded_by on attendance_records for each row
  when (new.recorded_by = new.fellow_id) execute function refuse_own();
create trigger own_attendance_is_not_taken_back before insert or update of removed_by on attendance_removals
  for each row when (new.removed_by = new.participant_id) execute function refuse_own();
create trigger own_corrections_are_not_answered before insert or update of answered_by on attendance_corrections
  for each row when (new.answered_by = new.participant_id) execute function refuse_own();
create trigger own_modules_are_not_completed before insert or update of set_by on participant_module_completions
  for each row when (new.set_by = new.participant_id) execute function refuse_own();

create trigger own_work_is_not_reviewed before insert or update of reviewed_by on content_submissions for each row
  when (new.reviewed_by = new.user_id) execute function refuse_own();

create function refuse_own_work() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) ->> tg_argv[0])::uuid = (select user_id from content_submissions where id = new.submission_id) then
    raise exception 'nobody decides about what is their own';
  end if;
  return new;
end $$;
create trigger own_rounds_are_not_reviewed before insert or update of reviewed_by on submission_rounds for each row
  when (new.reviewed_by is not null) execute function refuse_own_work('reviewed_by');
create trigger own_work_is_not_graded before insert or update of graded_by on content_evaluations for each row
  when (new.graded_by is not null) execute function refuse_own_work('graded_by');
create trigger own_work_is_not_claimed before insert or update of reviewer_id on review_claims for each row
  execute function refuse_own_work('reviewer_id');
create trigger own_work_has_no_review_draft before insert or update of reviewer_id on review_drafts for each row
  execute function refuse_own_work('reviewer_id');
