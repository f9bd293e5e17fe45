import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { listStipendQuestions, StipendQuestion } from '#contract/stipend-questions.ts';
import type { Db } from '#server/db/database.ts';
import { coachNameOf, isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byInstant, descending, exactly, pagesBy } from '#server/platform/pages.ts';

type Filters = ParsedInputOf<typeof listStipendQuestions>['query'];

const pages = {
  open: pagesBy(50, [byInstant(sql`asked.asked_at`), byId(sql`asked.id`)]),
  answered: pagesBy(50, [descending(byInstant(sql`asked.answered_at`)), descending(byId(sql`asked.id`))]),
};

/** Finds a page in one statement. The reader's own questions are not on it, because other people answer them. */
export async function findQuestions(db: Db, actor: Actor, { state, cursor }: Filters) {
  const statuses = state === 'open' ? ['open'] : ['answered', 'closed'];
  const rows = await questions(db)
    .where('participant.deletedAt', 'is', null)
    .where('asked.participantId', '<>', actor.id)
    .$if(actor.role !== 'admin', (own) => own.where((eb) => isOwnParticipant(db, actor, eb.ref('asked.participantId'))))
    .where('asked.status', '=', sql<string>`any(${statuses}::text[])`)
    .where(pages[state].comesAfter(cursor))
    .orderBy(pages[state].inOrder)
    .limit(pages[state].most)
    .execute();
  const page = pages[state].cut(rows, ({ placedAt, id }) => [placedAt, id]);
  return { ...page, rows: page.rows.map(toQuestion) };
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
      // The instant keeps its microseconds, because it is the place in the list.
      exactly(sql`coalesce(asked.answered_at, asked.asked_at)`).as('placedAt'),
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
