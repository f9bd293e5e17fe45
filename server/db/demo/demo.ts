import { sql } from 'kysely';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { decideBatch } from '#server/features/notices/due-events.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import type { App } from '#server/platform/app-parts.ts';
import { now } from '#server/platform/clock.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { fillCoaching } from './coaching.ts';
import { importComingFellows } from './coming-cohort.ts';
import { liveFinishedCohort } from './finished-cohort.ts';
import { fillMessages } from './messages.ts';
import { mondayOf } from './past.ts';
import { assignCoaches, enrolAll, makeCourses, makePeople, setUpBooking } from './people.ts';
import { makeCohort, makeModules } from './programme.ts';
import { makeResources } from './resources.ts';
import { liveSecondProgram } from './second-program.ts';
import { decideWeek, payWeek } from './stipends.ts';
import { beginWeek, liveWeek } from './weeks.ts';

const passedWeeks = [1, 2, 3, 4];
const paidWeeks = [1, 2];
const openWeek = 5;

/**
 * Fills in the demo programme on the first start of a demo instance. Its dates are relative to today, so its cohort is
 * in the fifth week on that day. The product's own acts do it where tens of calls are enough. Where it would take
 * hundreds, sets of rows do it, with the log entries that the acts leave (decision 34). It is one transaction: after a
 * start that is killed, the next one begins again.
 */
export async function fillDemoOnFirstStart(app: App): Promise<void> {
  if (!app.config.isDemo) return;
  await inTransaction(app.db, async (db) => {
    // If two processes start at once, the second one finds people.
    await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(db);
    if (!(await hasPeople(db))) await fillDemo(db, app);
  });
}

async function hasPeople(db: Db): Promise<boolean> {
  return (await db.selectFrom('profiles').select('id').limit(1).executeTakeFirst()) !== undefined;
}

async function fillDemo(db: Db, app: Pick<App, 'config' | 'secrets'>): Promise<void> {
  const { admin, coaches, fellows, formerFellows, apprentices } = await makePeople(db);
  await switchMailsOff(db);
  await makeCourses(db, admin);
  await makeModules(db, admin);
  await makeResources(db, admin, { recordingsFor: defaultProgrammeId });
  await setUpBooking(db, coaches);
  await liveFinishedCohort(db, admin, coaches, formerFellows);
  await countRows(db);

  const thisMonday = mondayOf(dayAt(now(), houseZone));
  const cohort = await makeCohort(db, admin, {
    name: cohortName(addDays(thisMonday, -28)),
    startDate: addDays(thisMonday, -28),
    status: 'active',
    capacity: 30,
    description: 'Sixteen weeks from the first volt to the first offer, with a stipend for every week that is done.',
  });
  await enrolAll(db, admin, fellows, cohort);
  await assignCoaches(db, admin, fellows, cohort.startDate);
  for (const week of passedWeeks) {
    await liveWeek(db, cohort, fellows, week);
    await decideWeek(db, admin, cohort, week);
    if (paidWeeks.includes(week)) await payWeek(db, admin, cohort, week);
  }
  await beginWeek(db, cohort, fellows, openWeek);
  await processWeek(db, openWeek, cohort.id);
  await markEarlierStatuses(db, cohort.id);
  await fillCoaching(db, cohort.startDate, fellows);
  await fillMessages(db, fellows);
  await liveSecondProgram(db, admin, apprentices, dayAt(now(), houseZone));

  const nextStart = addDays(thisMonday, 56);
  const next = { name: cohortName(nextStart), startDate: nextStart, status: 'planning', capacity: 24 };
  await makeCohort(db, admin, { ...next, description: 'Applications are being reviewed.' });
  await importComingFellows(db, admin, { name: next.name, coach: coaches[1], app });
  await decideNoticesSoFar(db, app.config);
  await switchMailsOn(db);
  await readEarlierNotices(db);
  await ageAccounts(db);
}

/**
 * The acts that follow ask much of these tables. Without figures, PostgreSQL would plan for empty tables and take twice
 * as long.
 */
async function countRows(db: Db): Promise<void> {
  await sql`
    analyze profiles, cohorts, cohort_participants, user_courses, training_activities, content_items,
      content_assignments, content_submissions, submission_rounds, attendance_records, course_modules,
      participant_module_completions, participant_progress, stipend_eligibility, performance_feedback`.execute(db);
}

function cohortName(startDate: string): string {
  const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return `Fellowship ${month.format(new Date(startDate))}`;
}

/** Nobody is mailed about the weeks that the demo makes up. */
async function switchMailsOff(db: Db): Promise<void> {
  await sql`
    insert into notification_preferences (user_id, email_enabled) select id, false from profiles`.execute(db);
}

async function decideNoticesSoFar(db: Db, config: Pick<App['config'], 'publicUrl' | 'mailFrom'>): Promise<void> {
  let mayMoreWait = true;
  while (mayMoreWait) mayMoreWait = await decideBatch(db, { ...config, sms: null });
}

/**
 * Gives three accepted submissions of week 1 the statuses that a review no longer sets (reviewed, approved, graded) but
 * that the product still shows. No act makes them. The round keeps 'accepted', because its review said so and a round
 * never changes.
 */
async function markEarlierStatuses(db: Db, cohortId: string): Promise<void> {
  await sql`
    with chosen as (
      select submission.id, row_number() over (order by submission.submitted_at, submission.id) as place
      from content_submissions submission
      join content_assignments assignment on assignment.id = submission.assignment_id
      join content_items item on item.id = assignment.content_item_id
      join training_activities activity on activity.id = item.training_activity_id
      join profiles on profiles.id = submission.user_id
      where activity.cohort_id = ${cohortId} and activity.week_number = 1 and submission.status = 'accepted'
        and profiles.email <> 'participant@demo.example'
      order by submission.submitted_at, submission.id limit 3
    )
    update content_submissions submission set status = (array['reviewed', 'approved', 'graded'])[chosen.place]
    from chosen where submission.id = chosen.id`.execute(db);
}

/** Of the notices of the passed weeks, each person's newest is still unread. */
async function readEarlierNotices(db: Db): Promise<void> {
  await sql`
    update notices set read_at = created_at
    where exists (select from notices newer where newer.user_id = notices.user_id and newer.id > notices.id)`.execute(
    db,
  );
}

/** Whoever is in a cohort that has begun came a week before it did. */
async function ageAccounts(db: Db): Promise<void> {
  await sql`
    update profiles set created_at = joined.start_date - 7
    from (select participant_id, min(start_date) as start_date
      from cohort_participants join cohorts on cohorts.id = cohort_id group by participant_id) joined
    where joined.participant_id = profiles.id and joined.start_date < now()`.execute(db);
}

async function switchMailsOn(db: Db): Promise<void> {
  await db.deleteFrom('notificationPreferences').execute();
}
