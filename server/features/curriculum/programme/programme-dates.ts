import { type RawBuilder, sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import { holidaysKept } from '#contract/holidays.ts';
import type { ProgrammeCalendar } from '#contract/pay-periods.ts';
import type { moveCohort as moveEndpoint, previewProgrammeDates } from '#contract/programme-copies.ts';
import { addDays, programmeCalendar } from '#contract/weeks.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { calendarOf } from '#server/features/programmes/calendar-queries.ts';
import { firstWeekdayOf, requireWeekday } from '#server/features/programmes/programme-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { byDay, byId, byText, isAsItOpens, pagesBy } from '#server/platform/pages.ts';
import { changed } from '#server/platform/telling.ts';

type Query = ParsedInputOf<typeof previewProgrammeDates>['query'];
type Preview = ReplyOf<typeof previewProgrammeDates>;
type Move = ParsedInputOf<typeof moveEndpoint>['body'];

const pages = pagesBy(100, [byDay(sql`day`), byText(sql`kind`), byId(sql`id`)]);

/** A day of a programme with another start keeps its week and its weekday. */
export function movedDay(day: RawBuilder<unknown>, oldStart: string, newStart: string): RawBuilder<string> {
  return sql<string>`(${newStart}::date + 7 * floor((${day} - ${oldStart}::date) / 7.0)::integer
    + mod(mod(${day} - ${newStart}::date, 7) + 7, 7))`;
}

/** Finds every date, the earliest first. One statement brings the total numbers too. */
export async function findProgrammeDates(
  db: Db,
  cohortId: string,
  { startDate, only, cursor }: Query,
): Promise<Preview> {
  const cohort = await loadCohort(db, cohortId);
  // The span is wide enough for dates outside the weeks.
  const holidays = holidaysKept(cohort.calendar.holidays, addDays(startDate, -366), addDays(startDate, 3 * 366));
  const { startDate: oldStartDate, endDate: oldEndDate } = cohort;
  const move = { cohortId, startDate, oldStartDate, oldEndDate, holidays: JSON.stringify(holidays) };
  const [facts] = isAsItOpens({ only, cursor })
    ? await firstDates(db, move)
    : (await movedDates(move, { only, cursor }).execute(db)).rows;
  if (!facts) throw new Error('A select without a table answered no row.');
  return {
    ...facts,
    ...pages.cut(facts.rows, ({ oldDay, kind, id }) => [oldDay, kind, id]),
    oldStartDate,
    oldEndDate,
    holidayWeeks: holidayWeeksFrom(startDate, cohort.calendar),
  };
}

interface PreviewedMove {
  cohortId: string;
  startDate: string;
  oldStartDate: string;
  oldEndDate: string;
  /** As JSON. */
  holidays: string;
}

function movedDates(
  { cohortId, startDate, oldStartDate, oldEndDate, holidays }: PreviewedMove,
  { only, cursor }: Pick<Query, 'only' | 'cursor'>,
) {
  return sql<Pick<Preview, 'rows' | 'dates' | 'onHolidays' | 'holds' | 'newEndDate'>>`
    with holiday as (
      select * from jsonb_to_recordset(${holidays}::jsonb) as holiday (day date, name text)
    ), activity as (
      select * from training_activities where cohort_id = ${cohortId}
    ), item as (
      select item.*, activity.week_number from content_items item
      join activity on activity.id = item.training_activity_id
      where item.archived_at is null
    ), assignment as (
      select assignment.*, item.week_number from content_assignments assignment
      join item on item.id = assignment.content_item_id
      where assignment.archived_at is null
    ), requirement as (
      select * from weekly_requirements where cohort_id = ${cohortId}
    ), dated as (
      select 'activity' as kind, id, title, week_number, session_date as day, session_time from activity
      union all select 'content', id, title, week_number, due_date, null from item
      union all select 'assignment', id, title, week_number, due_date, null from assignment
      union all select 'requirement', id, title, week_number, due_date, null from requirement
    ), moved as (
      select dated.*, ${movedDay(sql`dated.day`, oldStartDate, startDate)} as new_day
      from dated where day is not null
    ), marked as (
      select moved.*, holiday.name as holiday from moved left join holiday on holiday.day = moved.new_day
    )
    select
      (select coalesce(json_agg(page order by page."oldDay", page.kind, page.id), '[]') from (
        select kind, id, title, week_number as "weekNumber", day as "oldDay", new_day as "newDay",
               to_char(session_time, 'HH24:MI') as "sessionTime", holiday
        from marked
        where ${only === 'holidays' ? sql`holiday is not null` : sql`true`}
          and ${pages.comesAfter(cursor)}
        order by ${pages.inOrder} limit ${pages.most}) page) as rows,
      (select count(*) from marked) as dates,
      (select count(*) from marked where holiday is not null) as on_holidays,
      json_build_object('activities', (select count(*) from activity), 'contents', (select count(*) from item),
        'assignments', (select count(*) from assignment), 'requirements', (select count(*) from requirement)) as holds,
      ${movedDay(sql`${oldEndDate}::date`, oldStartDate, startDate)} as new_end_date`;
}

const firstDates = builtOnce((_, move: PreviewedMove) => movedDates(move, {}));

/** Sets a new start, with all dates or without them. The members' weeks and progress follow. */
export async function moveCohort(db: Db, actor: Actor, cohortId: string, { startDate, movesDates, version }: Move) {
  const before = await lockCohort(db, cohortId);
  if (before.version !== version) {
    throw new AppError('stale', 'Somebody else has changed this cohort since you opened it.');
  }
  if (!movesDates && before.endDate <= startDate) {
    const message = `The cohort ends on ${before.endDate}: choose an earlier start, or let the dates move along.`;
    throw new AppError('invalid_input', message, { errors: [{ path: 'startDate', message }] });
  }
  requireWeekday(before.firstWeekday, startDate);
  const moved = (day: RawBuilder<unknown>) => movedDay(day, before.startDate, startDate);
  if (movesDates) await moveDates(db, cohortId, moved);
  await sql`
    update cohorts set start_date = ${startDate}, version = version + 1,
      end_date = ${movesDates ? moved(sql`end_date`) : sql`end_date`}
    where id = ${cohortId}`.execute(db);
  await changed(db, 'cohorts', { membersOf: [cohortId] });
  await audit(db, actor.id, {
    action: 'cohort.move',
    subjectType: 'cohort',
    subjectId: cohortId,
    before: { startDate: before.startDate, endDate: before.endDate },
    after: { startDate, movesDates },
  });
}

function holidayWeeksFrom(startDate: string, calendar: ProgrammeCalendar): Preview['holidayWeeks'] {
  return programmeCalendar(startDate, calendar).flatMap(({ week, firstDay, lastDay }) => {
    const holidays = holidaysKept(calendar.holidays, firstDay, lastDay).map(({ name }) => name);
    return holidays.length > 0 ? [{ week, holidays }] : [];
  });
}

async function loadCohort(db: Db, id: string) {
  const cohort = await db
    .selectFrom('cohorts')
    .select(['startDate', 'endDate', calendarOf().as('calendar')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!cohort) throw notFound('This cohort no longer exists.');
  return cohort;
}

async function lockCohort(db: Db, id: string) {
  const cohort = await db
    .selectFrom('cohorts')
    .select(['startDate', 'endDate', 'version'])
    .select(firstWeekdayOf)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!cohort) throw notFound('This cohort no longer exists.');
  return cohort;
}

/** Archived work keeps its days, because it was due on them. */
async function moveDates(
  db: Db,
  cohortId: string,
  moved: (day: RawBuilder<unknown>) => RawBuilder<string>,
): Promise<void> {
  await sql`
    with activity as (
      update training_activities set session_date = ${moved(sql`session_date`)}
      where cohort_id = ${cohortId} and session_date is not null
    ), item as (
      update content_items set due_date = ${moved(sql`due_date`)}, version = version + 1
      where due_date is not null and archived_at is null
        and training_activity_id in (select id from training_activities where cohort_id = ${cohortId})
    ), assignment as (
      update content_assignments set due_date = ${moved(sql`due_date`)}, version = version + 1
      where due_date is not null and archived_at is null
        and content_item_id in (select content_items.id from content_items
          join training_activities on training_activities.id = content_items.training_activity_id
          where training_activities.cohort_id = ${cohortId})
    )
    update weekly_requirements set due_date = ${moved(sql`due_date`)} where cohort_id = ${cohortId}`.execute(db);
}
