import { sql } from 'kysely';
import { z } from 'zod';
import type { correctionStatuses, listAttendanceCorrections } from '#contract/attendance-corrections.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';
import { decidedRefusal, futureRefusal, loadActivity } from './learning-access.ts';

type Filters = ParsedInputOf<typeof listAttendanceCorrections>['query'];

const pageSize = 50;
const longestHistory = 20;
const noCohort = 'You have no active cohort, so there is nothing to correct.';

/** The own requests about an activity that the participant can see. */
export async function findOwnCorrections(db: Db, actor: Actor, activityId: string) {
  const activity = await loadActivity(db, actor, activityId);
  const { weekNumber } = activity;
  const cohort = await findActiveCohort(db, actor.id);
  const rows = await corrections(db)
    .where('correction.participantId', '=', actor.id)
    .where('correction.activityId', '=', activityId)
    .orderBy('correction.askedAt', 'desc')
    .limit(longestHistory)
    .execute();
  const paymentStatus = cohort ? await findPaymentStatus(db, actor.id, cohort.id, weekNumber) : null;
  const refusal = decidedRefusal(weekNumber, paymentStatus) ?? futureRefusal(activity, easternDay(now()));
  return { rows: rows.map(toCorrection), refusal: cohort ? (refusal?.message ?? null) : noCohort };
}

/** A page in one statement. */
export async function findCorrections(db: Db, actor: Actor, { state, cursor }: Filters) {
  const after = cursor === undefined ? null : readCursor(cursor, PageKey);
  const rows = await corrections(db)
    .where('profiles.deletedAt', 'is', null)
    .$if(actor.role !== 'admin', (all) =>
      all.where((eb) => isOwnParticipant(db, actor, eb.ref('correction.participantId'))),
    )
    .$if(state === 'open', (all) =>
      all
        .where('correction.status', '=', 'open')
        .$if(after !== null, (rest) => rest.where(sql<boolean>`(correction.asked_at, correction.id) > ${keyOf(after)}`))
        .orderBy('correction.askedAt')
        .orderBy('correction.id'),
    )
    .$if(state === 'answered', (all) =>
      all
        .where('correction.status', 'in', ['accepted', 'declined'])
        .$if(after !== null, (rest) =>
          rest.where(sql<boolean>`(correction.answered_at, correction.id) < ${keyOf(after)}`),
        )
        .orderBy('correction.answeredAt', 'desc')
        .orderBy('correction.id', 'desc'),
    )
    .limit(pageSize + 1)
    .execute();
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    rows: page.map((row) => ({
      ...toCorrection(row),
      refusal: row.status === 'open' ? (decidedRefusal(row.weekNumber, row.paymentStatus)?.message ?? null) : null,
    })),
    nextCursor: rows.length > pageSize && last ? writeCursor([last.placedAt, last.id]) : null,
  };
}

const PageKey = z.tuple([z.string(), z.uuid()]);

function keyOf(key: z.output<typeof PageKey> | null) {
  return sql`(${key?.[0]}::timestamptz, ${key?.[1]}::uuid)`;
}

function corrections(db: Db) {
  return db
    .selectFrom('attendanceCorrections as correction')
    .innerJoin('profiles', 'profiles.id', 'correction.participantId')
    .innerJoin('trainingActivities as activity', 'activity.id', 'correction.activityId')
    .leftJoin('profiles as reviewer', 'reviewer.id', 'correction.answeredBy')
    .leftJoin('stipendEligibility as stipend', (join) =>
      join
        .onRef('stipend.fellowId', '=', 'correction.participantId')
        .onRef('stipend.cohortId', '=', 'correction.cohortId')
        .onRef('stipend.weekNumber', '=', 'correction.weekNumber'),
    )
    .select([
      'correction.id',
      'correction.participantId',
      'correction.activityId',
      'correction.weekNumber',
      'correction.attended',
      'correction.reason',
      'correction.askedAt',
      'correction.status',
      'correction.answer',
      'correction.answeredAt',
      'activity.title as activityTitle',
      'activity.sessionDate',
      'stipend.paymentStatus',
      sql<string>`profiles.first_name || ' ' || profiles.last_name`.as('participantName'),
      sql<string | null>`reviewer.first_name || ' ' || reviewer.last_name`.as('answeredBy'),
      // With its microseconds: the place in the list.
      sql<string>`coalesce(correction.answered_at, correction.asked_at)::text`.as('placedAt'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof corrections>['execute']>>[number];

function toCorrection({ paymentStatus, placedAt, ...row }: Row) {
  return {
    ...row,
    status: row.status as (typeof correctionStatuses)[number],
    askedAt: row.askedAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
  };
}

async function findPaymentStatus(db: Db, fellowId: string, cohortId: string, weekNumber: number) {
  const stipend = await db
    .selectFrom('stipendEligibility')
    .select('paymentStatus')
    .where('fellowId', '=', fellowId)
    .where('cohortId', '=', cohortId)
    .where('weekNumber', '=', weekNumber)
    .executeTakeFirst();
  return stipend?.paymentStatus ?? null;
}
