-- People are found with or without accents and capitals, by their names in any order: what is typed and what is searched
-- are folded by this one function. It asks no dictionary and no locale but for capitals, so that the same text gives the
-- same answer on every server and an index can rest on it.
create function folded_words(words text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(replace(replace(
    lower(translate(
      regexp_replace(normalize(words, nfd), '[\u0300-\u036f]', '', 'g'),
      'ŁłĐđØøĦħŦŧðıẞÆŒÞ’‘ʼ', 'llddoohhttdißæœþ''''''')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

alter table profiles add column search_text text not null
  generated always as (folded_words(first_name || ' ' || last_name || ' ' || email::text)) stored;
create index profiles_by_search_text on profiles using gin (search_text gin_trgm_ops);
drop index profiles_by_words;
drop index profiles_gone_by_words;
