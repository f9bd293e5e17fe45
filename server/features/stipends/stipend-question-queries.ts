import { sql } from 'kysely';
import { z } from 'zod';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { listStipendQuestions, StipendQuestion } from '#contract/stipend-questions.ts';
import type { Db } from '#server/db/database.ts';
import { coachNameOf, isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';

type Filters = ParsedInputOf<typeof listStipendQuestions>['query'];

const pageSize = 50;

/** A page in one statement; what somebody asked themself is for others to answer. */
export async function findQuestions(db: Db, actor: Actor, { state, cursor }: Filters) {
  const after = cursor === undefined ? null : readCursor(cursor, Place);
  const rows = await questions(db)
    .where('participant.deletedAt', 'is', null)
    .where('asked.participantId', '<>', actor.id)
    .$if(actor.role !== 'admin', (own) => own.where((eb) => isOwnParticipant(db, actor, eb.ref('asked.participantId'))))
    .$if(state === 'open', (all) =>
      all
        .where('asked.status', '=', 'open')
        .$if(after !== null, (rest) => rest.where(sql<boolean>`(asked.asked_at, asked.id) > ${keyOf(after)}`))
        .orderBy('asked.askedAt')
        .orderBy('asked.id'),
    )
    .$if(state === 'answered', (all) =>
      all
        .where('asked.status', 'in', ['answered', 'closed'])
        .$if(after !== null, (rest) => rest.where(sql<boolean>`(asked.answered_at, asked.id) < ${keyOf(after)}`))
        .orderBy('asked.answeredAt', 'desc')
        .orderBy('asked.id', 'desc'),
    )
    .limit(pageSize + 1)
    .execute();
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    rows: page.map(toQuestion),
    nextCursor: rows.length > pageSize && last ? writeCursor([last.placedAt, last.id]) : null,
  };
}

const Place = z.tuple([z.string(), z.uuid()]);

function keyOf(key: z.output<typeof Place> | null) {
  return sql`(${key?.[0]}::timestamptz, ${key?.[1]}::uuid)`;
}

function questions(db: Db) {
  return db
    .selectFrom('stipendQuestions as asked')
    .innerJoin('profiles as participant', 'participant.id', 'asked.participantId')
    .innerJoin('cohorts', 'cohorts.id', 'asked.cohortId')
    .leftJoin('profiles as answerer', 'answerer.id', 'asked.answeredBy')
    .select([
      'asked.id',
      'asked.participantId',
      'asked.weekNumber',
      'asked.question',
      'asked.facts',
      'asked.askedAt',
      'asked.status',
      'asked.answer',
      'asked.answeredAt',
      'cohorts.name as cohortName',
      coachNameOf(db, sql.ref('asked.participantId')).as('coachName'),
      'participant.fullName as participantName',
      'answerer.fullName as answeredBy',
      // With its microseconds: the place in the list.
      sql<string>`coalesce(asked.answered_at, asked.asked_at)::text`.as('placedAt'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof questions>['execute']>>[number];

function toQuestion({ placedAt, ...row }: Row): StipendQuestion {
  return {
    ...row,
    coachName: row.coachName ?? 'No coach assigned',
    status: row.status as StipendQuestion['status'],
    askedAt: row.askedAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
  };
}
