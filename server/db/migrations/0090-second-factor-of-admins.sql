-- Since when this instance asks admins for a second factor by itself; null before it ever did. Who is an admin by then
-- has seven days from that moment, who becomes one later from then.
alter table auth.sign_in_policy add column admins_asked_since timestamptz;

create function second_factor_due_at(in_person_id uuid) returns timestamptz language sql stable as $$
  select greatest(policy.admins_asked_since, person.created_at,
    (select max(granted_at) from admin_grants where person_id = person.id)) + interval '7 days'
  from auth.sign_in_policy policy join profiles person on person.id = in_person_id
  where policy.admins_asked_since is not null
$$;
