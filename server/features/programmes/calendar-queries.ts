import { type RawBuilder, sql } from 'kysely';
import type { ProgrammeCalendar } from '#contract/pay-periods.ts';
import { presentInstant } from '#server/platform/clock.ts';

/** What the programme of a cohort says of time, as a column. Expects the cohort's row. */
export function calendarOf(cohorts: RawBuilder<unknown> = sql`cohorts`): RawBuilder<ProgrammeCalendar> {
  return sql`(select jsonb_build_object('weeks', programmes.weeks, 'daysPerWeek', programmes.days_per_week,
      'zone', programmes.zone, 'payPeriod', programmes.pay_period, 'holidays', programmes.holidays)
    from programmes where programmes.id = ${cohorts}.programme_id)`;
}

/** Of the cohorts that a person is active in, the present one is first. Expects them as `present`. */
export const newestFirst = sql`present.start_date desc, present.id desc`;

/**
 * What the programme of a person's present cohort calls their kind, in SQL. Null without a kind or a cohort. Expects the
 * person's row, or one with the same id and track_type.
 */
export function kindNameOf(person: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select ${kindNameIn(person)}
    from cohort_participants membership
      join cohorts present on present.id = membership.cohort_id
      join programmes on programmes.id = present.programme_id
    where membership.participant_id = ${person}.id and membership.status = 'active'
    order by ${newestFirst} limit 1)`;
}

/**
 * What that programme calls each kind, as an aggregate over all active cohorts of a person. Expects them as `present`,
 * beside their programmes.
 */
export const kindLabelsAmong = sql`(array_agg(programmes.kind_labels order by ${newestFirst}))[1]`;

/** The same as `kindNameOf` beside the row of that programme, or one with its kind_labels. */
export function kindNameIn(person: RawBuilder<unknown>, programme = sql`programmes`): RawBuilder<string | null> {
  return sql`${programme}.kind_labels ->> ${person}.track_type`;
}

/** The present day of a zone, as a date. */
export function todayIn(zone: RawBuilder<unknown>): RawBuilder<string> {
  return sql`(${presentInstant}::timestamptz at time zone ${zone})::date`;
}

/** The programme's weeks that the nth stipend of a cohort pays for, as the two ends of a `between`. */
export function weeksOfPeriod(number: RawBuilder<unknown>, calendar = sql`calendar`): RawBuilder<unknown> {
  return sql`period_first_week(${calendar}.start_date, ${calendar}.pay_period, ${number})
    and period_last_week(${calendar}.start_date, ${calendar}.pay_period, ${number})`;
}

/**
 * True if a stipend, a row of the query under this name, pays for a week of its cohort's programme. "offset 0" has the
 * cohort looked up by its key.
 */
export function paysForWeek(stipend: string, week: RawBuilder<unknown>): RawBuilder<boolean> {
  const [cohortId, number] = [sql.ref(`${stipend}.cohort_id`), sql.ref(`${stipend}.week_number`)];
  return sql`exists (select from cohort_calendars calendar
    where calendar.id = ${cohortId} and ${week} between ${weeksOfPeriod(number)} offset 0)`;
}
