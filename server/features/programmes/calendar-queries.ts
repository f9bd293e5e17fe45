import { type RawBuilder, sql } from 'kysely';
import type { ProgrammeCalendar } from '#contract/pay-periods.ts';
import { now } from '#server/platform/clock.ts';

/** What the programme of a cohort says of time, as a column. Expects the cohort's row. */
export function calendarOf(cohorts: RawBuilder<unknown> = sql`cohorts`): RawBuilder<ProgrammeCalendar> {
  return sql`(select jsonb_build_object('weeks', programmes.weeks, 'daysPerWeek', programmes.days_per_week,
      'zone', programmes.zone, 'payPeriod', programmes.pay_period, 'holidays', programmes.holidays)
    from programmes where programmes.id = ${cohorts}.programme_id)`;
}

/** The present day of a zone, as a date. */
export function todayIn(zone: RawBuilder<unknown>): RawBuilder<string> {
  return sql`(${now()}::timestamptz at time zone ${zone})::date`;
}
