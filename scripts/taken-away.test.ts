import { expect, test } from 'vitest';
import { findTakenAway } from './taken-away.ts';

test.each([
  'drop table crates;',
  'DROP VIEW crates_of_yards;',
  'drop function weigh(crates);',
  'alter table crates drop column lid;',
  'alter table crates drop lid;',
  'alter table crates drop column if exists lid, add column cover text;',
  'alter table crates rename to boxes;',
  'alter table crates rename column lid to cover;',
  'alter function weigh rename to weight;',
  'alter table crates alter column lid type integer using lid::integer;',
  'alter table crates alter lid set data type text;',
  'alter table crates\n  alter column lid set not null;',
  'alter table crates alter column lid drop default;',
  'alter table crates add column cover text not null;',
  'alter table crates add cover text not null, add lid text default 0;',
  'truncate crates;',
  'create table lids (id int);\n-- not additive: no\ndrop table crates;',
])('%s takes something away', (statement) => {
  expect(findTakenAway(statement)).toHaveLength(1);
});

test.each([
  'create table crates (id int not null, lid text not null);',
  'alter table crates add column cover text;',
  "alter table crates add column cover text not null default '; drop table crates;';",
  'alter table crates add constraint has_lid check (lid is not null);',
  'alter table crates drop constraint has_lid;',
  'alter table crates alter column lid drop not null;',
  'alter table crates alter column lid set default 1;',
  'drop index crates_by_lid; drop trigger weigh on crates;',
  'create or replace function weigh() returns trigger language plpgsql as $$ begin drop table crates; end $$;',
  '-- drop table crates;\ncreate index crates_by_lid on crates (lid);',
  '-- not additive: no released version reads this table any more\ndrop table crates;',
])('%s only adds', (statement) => {
  expect(findTakenAway(statement)).toEqual([]);
});
