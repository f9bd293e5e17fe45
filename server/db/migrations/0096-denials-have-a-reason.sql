-- Who is denied a week reads why. Denials of before keep having none.
alter table stipend_eligibility add column denial_reason text check (trim(denial_reason) <> '');
alter table stipend_eligibility add check (denial_reason is null or payment_status = 'denied');

create function say_why_denied() returns trigger language plpgsql as $$
begin
  select denial_reason into strict new.reason from stipend_eligibility where id = new.stipend_id;
  return new;
end $$;
-- Before the line is chained: triggers of one moment run in the order of their names.
create trigger a_denial_says_why before insert on stipend_ledger
  for each row when (new.kind = 'denial') execute function say_why_denied();
alter table stipend_ledger enable always trigger a_denial_says_why;
alter table stipend_ledger add constraint denials_have_a_reason
  check (kind <> 'denial' or coalesce(trim(reason), '') <> '') not valid;
