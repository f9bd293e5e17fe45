-- Which activities a copy of a programme made: undoing it removes no others.
alter table training_activities add column copy_id uuid references programme_copies (id);

-- The activities of a copy are dated to the microseconds after it. No calendar is told of it: the trigger rests.
alter table training_activities disable trigger activity_changes_count;
update training_activities activity set copy_id = copy.id
from programme_copies copy
where activity.cohort_id = copy.cohort_id
  and activity.created_at > copy.created_at and activity.created_at < copy.created_at + interval '1 second';
alter table training_activities enable trigger activity_changes_count;
