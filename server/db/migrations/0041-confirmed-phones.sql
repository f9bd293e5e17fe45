-- An imported number is somebody's guess until the person has texted a code back; only a confirmed one gets texts.
alter table profiles
  add column phone_confirmed_at timestamptz,
  add constraint confirmed_phone_is_there check (phone_confirmed_at is null or phone is not null);

-- Of the numbers so far those count as confirmed to which a code was texted; the others are asked for again.
update profiles set phone_confirmed_at = now()
where phone is not null and exists (
  select from deliveries
  where recipient_id = profiles.id and channel = 'sms' and kind = 'phone_code' and address = profiles.phone
    and status = 'sent');
