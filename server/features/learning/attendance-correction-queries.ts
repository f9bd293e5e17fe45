import { sql } from 'kysely';
import type { correctionStatuses, listAttendanceCorrections } from '#contract/attendance-corrections.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { dayAt } from '#contract/weeks.ts';
import { builtOnce, builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import { suitsTrack } from '#server/features/curriculum/curriculum-access.ts';
import { paysForWeek } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { byId, byInstant, descending, exactly, pagesBy } from '#server/platform/pages.ts';
import { countsByAge, isOfAge } from '#server/platform/waiting-age.ts';
import {
  decidedRefusal,
  findStandingCohortId,
  futureRefusal,
  loadOwnActivity,
  noCohort,
  notTaughtAnyMore,
  wasTaughtTo,
} from './learning-access.ts';

type Filters = ParsedInputOf<typeof listAttendanceCorrections>['query'];

const pages = {
  open: pagesBy(50, [byInstant(sql`correction.asked_at`), byId(sql`correction.id`)]),
  answered: pagesBy(50, [descending(byInstant(sql`correction.answered_at`)), descending(byId(sql`correction.id`))]),
};
const longestHistory = 20;

/** Finds the person's own requests about an activity that they can see as a participant. */
export async function findOwnCorrections(db: Db, actor: Actor, activityId: string) {
  const activity = await loadOwnActivity(db, actor, activityId);
  const cohortId = await findStandingCohortId(db, actor.id, activity);
  const rows = await ownCorrections(db, { participantId: actor.id, activityId });
  const decided = cohortId ? await findDecidedStipend(db, actor.id, cohortId, activity) : undefined;
  const refusal = decidedRefusal(decided) ?? futureRefusal(activity, dayAt(now(), activity.zone));
  return { rows: rows.map(toCorrection), refusal: cohortId ? (refusal?.message ?? null) : noCohort };
}

const ownCorrections = builtOnce((db, { participantId, activityId }: { participantId: string; activityId: string }) =>
  withColumns(corrections(db))
    .where('correction.participantId', '=', participantId)
    .where('correction.activityId', '=', activityId)
    .orderBy('correction.askedAt', 'desc')
    .limit(longestHistory),
);

/** Finds a page in one statement. The reader's own requests are not on it, because other people answer them. */
export async function findCorrections(db: Db, actor: Actor, { state, age, cursor }: Filters) {
  const isPlain = age === undefined && cursor === undefined;
  const rows = isPlain
    ? await firstPages[state](db, actor.role, { id: actor.id })
    : await pageOf(db, actor, { state, age, cursor }).execute();
  const page = pages[state].cut(rows, ({ placedAt, id }) => [placedAt, id]);
  return {
    ...page,
    rows: page.rows.map((row) => ({
      ...toCorrection(row),
      refusal: row.status === 'open' ? whyNotAcceptable(row) : null,
    })),
  };
}

function pageOf(db: Db, reader: Pick<Actor, 'id' | 'role'>, { state, age, cursor }: Filters) {
  return withColumns(answerable(db, reader))
    .where('correction.status', 'in', state === 'open' ? ['open'] : ['accepted', 'declined'])
    .where(isOfAge(sql`correction.asked_at`, age))
    .where(pages[state].comesAfter(cursor))
    .orderBy(pages[state].inOrder)
    .limit(pages[state].most);
}

/** The text of a first page depends on the reader's role and on the state alone. */
const firstPages = { open: firstPageIn('open'), answered: firstPageIn('answered') };

function firstPageIn(state: Filters['state']) {
  return builtOnceByRole((db, role, { id }: Pick<Actor, 'id'>) => pageOf(db, { id, role }, { state }));
}

/** Judges by what the activity is today, and who the participant is today. */
function whyNotAcceptable({ decided, isTaught, attended, ...activity }: Row): string | null {
  if (!isTaught) return notTaughtAnyMore;
  const isCompleted = !attended;
  return (
    (decidedRefusal(decided) ?? futureRefusal({ ...activity, isCompleted }, dayAt(now(), activity.zone)))?.message ??
    null
  );
}

interface CountedActivity {
  cohortId: string | null;
  weekNumber: number;
  recordedCohortId: string | null;
  recordedWeek: number | null;
}

/** Finds a decided one among the stipends that count the attendance. */
export async function findDecidedStipend(
  db: Db,
  fellowId: string,
  standingCohortId: string,
  { cohortId, weekNumber, recordedCohortId, recordedWeek }: CountedActivity,
) {
  const counted = { cohortId: cohortId ?? standingCohortId, weekNumber, recordedCohortId, recordedWeek };
  const [decided] = await decidedStipends(db, { fellowId, ...counted });
  return decided;
}

const decidedStipends = builtOnce((db, { fellowId, ...counted }: CountedActivity & { fellowId: string }) =>
  db
    .selectFrom('stipendEligibility')
    .select(['weekNumber', 'paymentStatus'])
    .where('fellowId', '=', fellowId)
    .where('paymentStatus', '<>', 'pending')
    .where((eb) =>
      eb.or([
        eb.and([eb('cohortId', '=', counted.cohortId), paysForWeek('stipend_eligibility', sql`${counted.weekNumber}`)]),
        eb.and([
          eb('cohortId', '=', counted.recordedCohortId),
          paysForWeek('stipend_eligibility', sql`${counted.recordedWeek}`),
        ]),
      ]),
    )
    .limit(1),
);

/** Counts the open ones that `findCorrections` lists. It is a column for any query. */
export function openCorrectionsByAge(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  return answerable(db, actor)
    .where('correction.status', '=', sql.lit('open'))
    .select(countsByAge(sql`correction.asked_at`).as('counts'));
}

function answerable(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  return corrections(db)
    .where('profiles.deletedAt', 'is', null)
    .where('correction.participantId', '<>', actor.id)
    .$if(actor.role !== 'admin', (all) =>
      all.where((eb) => isOwnParticipant(db, actor, eb.ref('correction.participantId'))),
    );
}

function corrections(db: Db) {
  return db
    .selectFrom('attendanceCorrections as correction')
    .innerJoin('profiles', 'profiles.id', 'correction.participantId');
}

function withColumns(found: ReturnType<typeof corrections>) {
  return found
    .innerJoin('trainingActivities as activity', 'activity.id', 'correction.activityId')
    .leftJoin('profiles as reviewer', 'reviewer.id', 'correction.answeredBy')
    .select([
      'correction.id',
      'correction.participantId',
      'correction.activityId',
      'activity.weekNumber',
      'correction.attended',
      'correction.reason',
      'correction.askedAt',
      'correction.status',
      'correction.answer',
      'correction.answeredAt',
      'activity.title as activityTitle',
      'activity.sessionDate',
      sql<string>`(select zone from programmes where id = activity.programme_id)`.as('zone'),
      'profiles.fullName as participantName',
      'reviewer.fullName as answeredBy',
      decidedStipend().as('decided'),
      isTaughtToday().as('isTaught'),
      // The instant keeps its microseconds, because it is the place in the list.
      exactly(sql`coalesce(correction.answered_at, correction.asked_at)`).as('placedAt'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof withColumns>['execute']>>[number];

function toCorrection({ decided, isTaught, placedAt, zone, ...row }: Row) {
  return {
    ...row,
    status: row.status as (typeof correctionStatuses)[number],
    askedAt: row.askedAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
  };
}

/** Does for an open request what `findDecidedStipend` does. */
function decidedStipend() {
  return sql<{ weekNumber: number; paymentStatus: string } | null>`(
    select json_build_object('weekNumber', stipend.week_number, 'paymentStatus', stipend.payment_status)
    from stipend_eligibility stipend
    left join attendance_records record
      on record.fellow_id = correction.participant_id and record.content_id = correction.activity_id
    where correction.status = 'open' and stipend.fellow_id = correction.participant_id
      and stipend.payment_status <> 'pending'
      and ((${paysForWeek('stipend', sql`activity.week_number`)}
          and stipend.cohort_id = coalesce(activity.cohort_id, correction.cohort_id))
        or (stipend.cohort_id = record.cohort_id
          and ${paysForWeek('stipend', sql`record.week_number`)}))
    limit 1)`;
}

/** Finds the activity the way that accepting the request does. */
function isTaughtToday() {
  return sql<boolean>`exists (select from training_activities where training_activities.id = correction.activity_id
    and ${suitsTrack(sql.ref('profiles.trackType'))} and ${wasTaughtTo(sql.ref('correction.participantId'))})`;
}
