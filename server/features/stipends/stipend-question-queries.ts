import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { listStipendQuestions, StipendQuestion } from '#contract/stipend-questions.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { coachNameOf, isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byInstant, descending, exactly, pagesBy } from '#server/platform/pages.ts';
import { countsByAge, isOfAge } from '#server/platform/waiting-age.ts';

type Filters = ParsedInputOf<typeof listStipendQuestions>['query'];

const pages = {
  open: pagesBy(50, [byInstant(sql`asked.asked_at`), byId(sql`asked.id`)]),
  answered: pagesBy(50, [descending(byInstant(sql`asked.answered_at`)), descending(byId(sql`asked.id`))]),
};

/** Finds a page in one statement. The reader's own questions are not on it, because other people answer them. */
export async function findQuestions(db: Db, actor: Actor, { state, age, cursor }: Filters) {
  // Stryker disable next-line ConditionalExpression: Whatever is built anew has the same rows.
  const isPlain = age === undefined && cursor === undefined;
  const rows = isPlain
    ? await firstPages[state](db, actor.role, { id: actor.id })
    : await pageOf(db, actor, { state, age, cursor }).execute();
  const page = pages[state].cut(rows, ({ placedAt, id }) => [placedAt, id]);
  return { ...page, rows: page.rows.map(toQuestion) };
}

function pageOf(db: Db, reader: Pick<Actor, 'id' | 'role'>, { state, age, cursor }: Filters) {
  return withColumns(db, answerable(db, reader))
    .where('asked.status', 'in', state === 'open' ? ['open'] : ['answered', 'closed'])
    .where(isOfAge(sql`asked.asked_at`, age))
    .where(pages[state].comesAfter(cursor))
    .orderBy(pages[state].inOrder)
    .limit(pages[state].most);
}

/** The text of a first page depends on the reader's role and on the state alone. */
const firstPages = { open: firstPageIn('open'), answered: firstPageIn('answered') };

function firstPageIn(state: Filters['state']) {
  return builtOnceByRole((db, role, { id }: Pick<Actor, 'id'>) => pageOf(db, { id, role }, { state }));
}

/** Counts the open ones that `findQuestions` lists. It is a column for any query. */
export function openQuestionsByAge(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  return answerable(db, actor)
    .where('asked.status', '=', sql.lit('open'))
    .select(countsByAge(sql`asked.asked_at`).as('counts'));
}

function answerable(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  return db
    .selectFrom('stipendQuestions as asked')
    .innerJoin('profiles as participant', 'participant.id', 'asked.participantId')
    .where('participant.deletedAt', 'is', null)
    .where('asked.participantId', '<>', actor.id)
    .$if(actor.role !== 'admin', (own) =>
      own.where((eb) => isOwnParticipant(db, actor, eb.ref('asked.participantId'))),
    );
}

function withColumns(db: Db, asked: ReturnType<typeof answerable>) {
  return asked
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

type Row = Awaited<ReturnType<ReturnType<typeof withColumns>['execute']>>[number];

function toQuestion({ placedAt, ...row }: Row): StipendQuestion {
  return {
    ...row,
    coachName: row.coachName ?? 'No coach assigned',
    status: row.status as StipendQuestion['status'],
    askedAt: row.askedAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
  };
}
