-- A refused fresh proof is no refused sign-in: whoever gave it was in already.
alter table auth.sign_in_record
  drop constraint sign_in_record_kind_check,
  add constraint sign_in_record_kind_check check (kind in ('sign_in', 'refusal', 'proof', 'refused_proof', 'end'));
