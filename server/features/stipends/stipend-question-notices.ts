import { type PaidDays, periodName } from '#contract/pay-periods.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';

interface Asked {
  id: string;
  period: Omit<PaidDays, 'lastDay'>;
  coachIds: string[];
  adminIds: string[];
}

/** A coach reads it as a message. Without a coach, the admins are told. */
export async function tellOfQuestion(db: Db, asker: Actor, { id, period, coachIds, adminIds }: Asked) {
  const told = coachIds.length > 0 ? [] : adminIds;
  await notify(
    db,
    told.map((userId) => ({
      userId,
      kind: 'stipend_question',
      title: 'A question about a stipend',
      message: `${asker.firstName} ${asker.lastName}, who has no coach, asks about ${periodName(period)}.`,
      link: '/stipend-questions',
      preference: 'stipendUpdates',
      eventKey: `stipend-question:${id}:asked:${userId}`,
    })),
  );
  await changed(db, 'questions', [asker.id]);
}

interface Answered {
  id: string;
  participantId: string;
  period: Omit<PaidDays, 'lastDay'>;
  closes: boolean;
  answer: string;
}

export async function tellOfAnswer(db: Db, answerer: Actor, answered: Answered) {
  const { id, participantId, period, closes, answer } = answered;
  const name = `${answerer.firstName} ${answerer.lastName}`;
  await notify(db, [
    {
      userId: participantId,
      kind: 'stipend_question',
      title: `Your question about ${periodName(period)} was ${closes ? 'closed' : 'answered'}`,
      message: closes ? `${name} closed it: it was settled elsewhere.` : `${name}: ${answer}`,
      link: '/my-stipends',
      preference: 'stipendUpdates',
      eventKey: `stipend-question:${id}:answered`,
    },
  ]);
}
