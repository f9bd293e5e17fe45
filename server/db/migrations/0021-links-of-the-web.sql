-- People open these links. The forms take addresses of the web alone, and now no other way in stores a script either.
-- Rows from before are not looked at again: a link of theirs without a scheme stays.
alter table coaching_sessions add constraint coaching_sessions_link_is_of_the_web
  check (teams_link ~* '^https?://' or teams_link !~ '^[^/]*:') not valid;
alter table profiles add constraint profiles_links_are_of_the_web check (
  (scheduling_link ~* '^https?://' or scheduling_link !~ '^[^/]*:')
  and (calendly_link ~* '^https?://' or calendly_link !~ '^[^/]*:')
  and (microsoft_booking_link ~* '^https?://' or microsoft_booking_link !~ '^[^/]*:')
) not valid;
-- A notice leads to a screen of the product.
alter table notices add constraint notices_link_is_a_screen check (link ~ '^/([^/\\]|$)') not valid;
