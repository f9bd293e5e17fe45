import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { movedDay } from './programme-dates.ts';

interface Source {
  id: string;
  startDate: string;
}

interface Target {
  copyId: string;
  cohortId: string;
  name: string;
  startDate: string;
  capacity: number;
}

interface Counts {
  activities: number;
  contents: number;
  assignments: number;
  requirements: number;
}

/** A copy takes these over as they are. Ids, dates and the place in the programme are new. */
export const copiedColumns = {
  cohorts: ['description', 'program_type', 'programme_id', 'curriculum_version', 'needs_second_approver'],
  training_activities: [
    ...['title', 'week_number', 'session_time', 'duration', 'duration_minutes', 'location', 'delivery_partner'],
    ...['delivery_medium', 'training_delivery_mode', 'description', 'sharepoint_id', 'module_name', 'is_required'],
    'audiences',
  ],
  content_items: [
    ...['title', 'description', 'content_type', 'file_path', 'order_index', 'estimated_minutes', 'is_required'],
  ],
  content_assignments: [...['title', 'instructions', 'assignment_type', 'is_required', 'max_points', 'order_index']],
  weekly_requirements: ['week_number', 'title', 'type', 'order_index'],
} as const;

/**
 * Copies the cohort, then its whole programme in one statement. Times keep their order, by which lists sort. If a
 * content's address is not of the web, it becomes a part of the text in the copy.
 */
export async function copyRows(db: Db, source: Source, target: Target): Promise<Counts> {
  const moved = (day: RawBuilder<unknown>) => movedDay(day, source.startDate, target.startDate);
  await copyCohort(db, source, target, moved(sql`old.end_date`));
  const { rows } = await sql<Counts>`
    with activity_ids as materialized (
      select id as old_id, time_ordered_id() as new_id, row_number() over (order by created_at, id) as place
      from training_activities where cohort_id = ${source.id}
    ), activities as (
      insert into training_activities (id, cohort_id, copy_id, session_date, created_at, ${columns('training_activities')})
      select new_id, ${target.cohortId}::uuid, ${target.copyId}::uuid, ${moved(sql`old.session_date`)},
             now() + place * interval '1 microsecond', ${columns('training_activities', 'old')}
      from activity_ids join training_activities old on old.id = old_id
    ), item_ids as materialized (
      select item.id as old_id, time_ordered_id() as new_id, activity_ids.new_id as activity_id,
             row_number() over (order by item.created_at, item.id) as place
      from activity_ids join content_items item on item.training_activity_id = activity_ids.old_id
      where item.archived_at is null
    ), items as (
      insert into content_items (id, training_activity_id, due_date, created_at, content_url, content_text,
        ${columns('content_items')})
      select new_id, activity_id, ${moved(sql`old.due_date`)}, now() + place * interval '1 microsecond',
             case when old.content_url ~* '^https?://' then old.content_url end,
             case when old.content_url !~* '^https?://' then concat_ws(E'\\n\\n', old.content_text, old.content_url)
                  else old.content_text end,
             ${columns('content_items', 'old')}
      from item_ids join content_items old on old.id = old_id
    ), assignments as (
      insert into content_assignments (content_item_id, due_date, created_at, ${columns('content_assignments')})
      select item_ids.new_id, ${moved(sql`old.due_date`)},
             now() + row_number() over (order by old.created_at, old.id) * interval '1 microsecond',
             ${columns('content_assignments', 'old')}
      from item_ids join content_assignments old on old.content_item_id = item_ids.old_id
      where old.archived_at is null
      returning id
    ), requirements as (
      insert into weekly_requirements (cohort_id, due_date, ${columns('weekly_requirements')})
      select ${target.cohortId}::uuid, ${moved(sql`old.due_date`)}, ${columns('weekly_requirements', 'old')}
      from weekly_requirements old where old.cohort_id = ${source.id}
      order by old.week_number, old.order_index, old.id
      returning id
    )
    select (select count(*) from activity_ids) as activities, (select count(*) from item_ids) as contents,
      (select count(*) from assignments) as assignments, (select count(*) from requirements) as requirements`.execute(
    db,
  );
  const [counts] = rows;
  if (!counts) throw new Error('A select without a table answered no row.');
  return counts;
}

/** Weeks that were unlocked by hand belong to the source alone. */
async function copyCohort(db: Db, source: Source, target: Target, endDate: RawBuilder<unknown>): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into cohorts (id, name, start_date, end_date, capacity, status, ${columns('cohorts')})
    select ${target.cohortId}::uuid, ${target.name}, ${target.startDate}::date, ${endDate},
           ${target.capacity}, 'planning', ${columns('cohorts', 'old')}
    from cohorts old where old.id = ${source.id}
    on conflict (program_type, name) do nothing`.execute(db);
  if (numAffectedRows !== 0n) return;
  const message = `There is a cohort named ${target.name} in this kind of program already.`;
  throw new AppError('duplicate', message, { errors: [{ path: 'name', message }] });
}

function columns(table: keyof typeof copiedColumns, alias?: string): RawBuilder<unknown> {
  return sql.join(copiedColumns[table].map((name) => sql.ref(alias ? `${alias}.${name}` : name)));
}
