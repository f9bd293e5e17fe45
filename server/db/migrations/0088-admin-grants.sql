-- Who made somebody an admin, and when. Nobody made the first admin, nor one of the shell.
create table admin_grants (
  person_id uuid not null references profiles (id),
  granted_by uuid not null references profiles (id),
  granted_at timestamptz not null default now(),
  primary key (person_id, granted_at),
  check (person_id <> granted_by)
);
create index admin_grants_by_giver on admin_grants (granted_by);
create index admin_grants_by_time on admin_grants (granted_at);

insert into admin_grants (person_id, granted_by, granted_at)
select entry.subject_id, entry.actor_id, min(entry.at) from audit_log entry
join profiles person on person.id = entry.subject_id
where entry.subject_id <> entry.actor_id and entry.after ->> 'role' = 'admin'
  and entry.action in ('admin.create', 'user.create', 'user.change_role', 'role_request.approve')
group by entry.subject_id, entry.actor_id, entry.at;

create trigger admin_grants_are_append_only before update or delete or truncate on admin_grants
  for each statement execute function refuse_change();
alter table admin_grants enable always trigger admin_grants_are_append_only;

-- Who was made an admin approves nothing for seven days.
create view new_admins as
  select person_id, max(granted_at) + interval '7 days' as approves_from from admin_grants
  where granted_at > now() - interval '7 days' group by person_id;

-- Who made one of these people an admin or was made one by them: with them they are never two who decide.
create function bound_admins(of_people uuid[]) returns uuid[] language sql stable as $$
  select coalesce(array_agg(distinct case when person_id = any(of_people) then granted_by else person_id end), '{}')
  from admin_grants where person_id = any(of_people) or granted_by = any(of_people)
$$;

create function refuse_new_approvers() returns trigger language plpgsql as $$
declare
  approver uuid;
begin
  if new.payment_status = 'approved' and old.payment_status = 'pending' then
    approver := new.approved_by;
  elsif new.amount_approved_at is not null and new.amount_approved_at is distinct from old.amount_approved_at then
    approver := new.amount_approved_by;
  elsif new.first_approved_by is not null and new.first_approved_by is distinct from old.first_approved_by then
    approver := new.first_approved_by;
  end if;
  if exists (select from new_admins where person_id = approver) then
    raise exception 'who was made an admin approves nothing for seven days';
  end if;
  return new;
end $$;
create trigger new_admins_approve_nothing before update on stipend_eligibility
  for each row execute function refuse_new_approvers();
alter table stipend_eligibility enable always trigger new_admins_approve_nothing;
