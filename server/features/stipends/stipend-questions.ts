import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { type PayPeriod, periodName } from '#contract/pay-periods.ts';
import type { answerStipendQuestion, askAboutStipend } from '#contract/stipend-questions.ts';
import type { Db } from '#server/db/database.ts';
import { coachesOf, coachIdsOf, isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import { sendMessageQueue } from '#server/features/messages/message-queue.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { ownRefusal } from '#server/platform/own-rows.ts';
import { changed } from '#server/platform/telling.ts';
import { tellOfAnswer, tellOfQuestion } from './stipend-question-notices.ts';
import { findParticipantStipendWeek } from './stipend-week-queries.ts';
import { factsInWords } from './stipend-week-words.ts';
import { periodFirstDay } from './week-facts-queries.ts';

type Question = ParsedInputOf<typeof askAboutStipend>['body'];
type Answer = ParsedInputOf<typeof answerStipendQuestion>['body'];

/** A week has one open question. The coach gets it as a message with the facts, and the admins in their queue. */
export async function askAboutWeek(db: Db, actor: Actor, { cohortId, weekNumber, question }: Question) {
  const week = await findParticipantStipendWeek(db, actor.id, { cohortId, weekNumber });
  if (!week) throw notFound('You have no such week.');
  const facts = factsInWords(week);
  const asked = await db
    .insertInto('stipendQuestions')
    .values({ participantId: actor.id, cohortId, weekNumber, question, facts, askedAt: now() })
    .onConflict((conflict) =>
      conflict.columns(['participantId', 'cohortId', 'weekNumber']).where('status', '=', sql.lit('open')).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!asked)
    throw new AppError('conflict', `You already asked about ${periodName(week)}. It is waiting for an answer.`);
  const concerned = await findConcerned(db, actor.id);
  if (concerned.coachId) {
    await enqueue(db, sendMessageQueue, {
      senderId: actor.id,
      recipientId: concerned.coachId,
      text: [`Question about my stipend of ${periodName(week)}:`, question, '', ...facts].join('\n'),
      clientKey: asked.id,
    });
  }
  await tellOfQuestion(db, actor, { id: asked.id, period: week, ...concerned });
  return { id: asked.id };
}

/** Answered questions stay as they are. */
export async function withdrawQuestion(db: Db, actor: Actor, questionId: string) {
  const withdrawn = await db
    .updateTable('stipendQuestions')
    .set({ status: 'withdrawn' })
    .where('id', '=', questionId)
    .where('participantId', '=', actor.id)
    .where('status', '=', sql.lit('open'))
    .returning('id')
    .executeTakeFirst();
  if (!withdrawn) throw notFound('You have no open question to take back.');
  await changed(db, 'questions', [actor.id]);
  return { done: true as const };
}

/** Throws `stale` if it was answered or taken back meanwhile. */
export async function answerQuestion(db: Db, actor: Actor, questionId: string, { closes, answer }: Answer) {
  const question = await lockQuestion(db, actor, questionId);
  const refusal = ownRefusal(actor, question.participantId);
  if (refusal) throw refusal;
  if (question.status !== 'open') {
    throw new AppError('stale', 'This question was already answered or taken back. Please look at it again.');
  }
  const status = closes ? 'closed' : 'answered';
  await db
    .updateTable('stipendQuestions')
    .set({ status, answer: answer || null, answeredBy: actor.id, answeredAt: now() })
    .where('id', '=', questionId)
    .execute();
  await audit(db, actor.id, {
    action: closes ? 'stipend.close_question' : 'stipend.answer_question',
    subjectType: 'stipend_question',
    subjectId: questionId,
    before: { question: question.question, weekNumber: question.weekNumber },
    after: closes ? null : { answer },
  });
  await tellOfAnswer(db, actor, { id: questionId, ...question, period: question, closes, answer });
  await changed(db, 'questions', [question.participantId]);
  return { done: true as const };
}

interface Concerned {
  /** The coach to whom the participant writes: that of the course that they joined last. */
  coachId: string | null;
  coachIds: string[];
  adminIds: string[];
}

async function findConcerned(db: Db, participantId: string): Promise<Concerned> {
  return db
    .selectFrom('profiles')
    .select((eb) => [
      coachesOf(db, eb.ref('profiles.id')).select('coach.id').limit(1).as('coachId'),
      coachIdsOf(db, eb.ref('profiles.id')).as('coachIds'),
      sql<string[]>`array(select id from profiles where role = 'admin' and deleted_at is null)`.as('adminIds'),
    ])
    .where('profiles.id', '=', participantId)
    .executeTakeFirstOrThrow();
}

async function lockQuestion(db: Db, actor: Actor, questionId: string) {
  const question = await db
    .selectFrom('stipendQuestions as asked')
    .innerJoin('profiles', 'profiles.id', 'asked.participantId')
    .innerJoin('cohortCalendars as calendar', 'calendar.id', 'asked.cohortId')
    .select(['asked.participantId', 'asked.weekNumber', 'asked.question', 'asked.status'])
    .select([
      sql<PayPeriod>`calendar.pay_period`.as('payPeriod'),
      periodFirstDay(sql`asked.week_number`).as('firstDay'),
    ])
    .where('asked.id', '=', questionId)
    .where('profiles.deletedAt', 'is', null)
    .$if(actor.role !== 'admin', (own) => own.where((eb) => isOwnParticipant(db, actor, eb.ref('asked.participantId'))))
    .forUpdate('asked')
    .executeTakeFirst();
  if (!question) throw notFound('Question not found');
  return question;
}
