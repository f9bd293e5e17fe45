-- What a participant marked as done for themselves; work that is handed in speaks for itself.
create table content_ticks (
  user_id uuid not null references profiles (id),
  content_item_id uuid not null references content_items (id) on delete cascade,
  ticked_at timestamptz not null default now(),
  primary key (user_id, content_item_id)
);
create index content_ticks_by_item on content_ticks (content_item_id);
