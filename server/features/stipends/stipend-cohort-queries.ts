import { sql } from 'kysely';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { type ProgrammeCalendar, paidDaysOn, periodsOf } from '#contract/pay-periods.ts';
import { dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { runningFirst } from '#server/features/cohorts/cohort-queries.ts';
import { calendarOf } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';
import { askedOffOf, toAskedOff } from './second-approver-queries.ts';

/**
 * STIP-22: the first active cohort, oldest first, with more than one active participant, or else the first active one.
 */
export async function findDocumentedCohort(db: Db) {
  const found = await sql<Picked>`
    select cohorts.id, cohorts.name, cohorts.start_date, ${calendarOf()} as calendar
    from cohorts
    where cohorts.status = 'active'
    order by (current_enrollment > 1) desc, created_at, id
    limit 1`.execute(db);
  return found.rows[0] ?? null;
}

interface Picked {
  id: string;
  name: string;
  startDate: string;
  calendar: ProgrammeCalendar;
}

/** Finds the week of the documented cohort, or of the picked one. */
export async function findStipendWeek(db: Db, pickedId: string | undefined) {
  const cohort = pickedId ? await findPickedCohort(db, pickedId) : await findDocumentedCohort(db);
  if (!cohort) return withoutCohort();
  const { id, name, startDate, calendar } = cohort;
  const today = dayAt(now(), calendar.zone);
  const weeks = periodsOf(startDate, calendar);
  return { cohortId: id, cohortName: name, ...paidDaysOn(startDate, today, calendar), weeks, today };
}

function withoutCohort() {
  const { weeks, zone, payPeriod } = specifiedCalendar;
  const nothing = { cohortId: null, cohortName: null, firstDay: null, lastDay: null };
  return { ...nothing, weekNumber: 1, weeks, payPeriod, today: dayAt(now(), zone) };
}

async function findPickedCohort(db: Db, id: string): Promise<Picked> {
  const cohort = await db
    .selectFrom('cohorts')
    .select(['id', 'name', 'startDate', calendarOf().as('calendar')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!cohort) throw notFound('This cohort was not found.');
  return cohort;
}

/**
 * The cohorts that pay stipends: those of a kind that is paid, and any other with rows. The documented one comes first.
 */
export async function findStipendCohorts(db: Db, actor: Actor) {
  const documented = await findDocumentedCohort(db);
  const cohorts = await db
    .selectFrom('cohorts')
    .select(['id', 'name', 'status', 'needsSecondApprover'])
    .select((eb) => askedOffOf(actor, eb.ref('cohorts.id')).as('askedOff'))
    .where((eb) =>
      eb.or([
        sql<boolean>`exists (select from programmes
          where programmes.id = cohorts.programme_id and cohorts.program_type = any(programmes.paid_kinds))`,
        eb.exists(eb.selectFrom('stipendEligibility').select('id').whereRef('cohortId', '=', 'cohorts.id')),
      ]),
    )
    .orderBy((eb) => eb('id', '=', documented?.id ?? null), 'desc')
    .orderBy(runningFirst)
    .execute();
  return {
    cohorts: cohorts.map(({ askedOff, ...cohort }) => ({
      ...cohort,
      askedOff: toAskedOff(askedOff, actor),
      isDocumented: cohort.id === documented?.id,
    })),
  };
}
