import { readAdminDashboard } from '#contract/home.ts';
import { listStipendQuestions } from '#contract/stipend-questions.ts';
import { listOwnStipendWeeks, listStipendWeeksOf } from '#contract/stipend-weeks.ts';
import { listStipends } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { tellAudiences } from '#server/platform/live.ts';
import { notify } from '#server/platform/notices.ts';

interface Asked {
  id: string;
  weekNumber: number;
  coachIds: string[];
  adminIds: string[];
}

/** A coach reads it as a message; where there is none the admins are told. */
export async function tellOfQuestion(db: Db, asker: Actor, { id, weekNumber, coachIds, adminIds }: Asked) {
  const told = coachIds.length > 0 ? [] : adminIds;
  await notify(
    db,
    told.map((userId) => ({
      userId,
      kind: 'stipend_question',
      title: 'A question about a stipend',
      message: `${asker.firstName} ${asker.lastName}, who has no coach, asks about week ${weekNumber}.`,
      link: '/stipend-questions',
      preference: 'stipendUpdates',
      eventKey: `stipend-question:${id}:asked:${userId}`,
    })),
  );
  await tellQueues(db, [...coachIds, ...adminIds], asker.id);
}

/** Every list that shows whether a question is open. */
export async function tellQueues(db: Db, answererIds: string[], participantId: string) {
  await tellAudiences(db, [
    { userIds: [participantId], endpoints: [listOwnStipendWeeks] },
    {
      userIds: answererIds,
      endpoints: [listStipendQuestions, listStipendWeeksOf, listStipends, readAdminDashboard],
    },
  ]);
}

interface Answered {
  id: string;
  participantId: string;
  weekNumber: number;
  closes: boolean;
  answer: string;
}

export async function tellOfAnswer(db: Db, answerer: Actor, answered: Answered) {
  const { id, participantId, weekNumber, closes, answer } = answered;
  const name = `${answerer.firstName} ${answerer.lastName}`;
  await notify(db, [
    {
      userId: participantId,
      kind: 'stipend_question',
      title: closes
        ? `Your question about week ${weekNumber} was closed`
        : `Your question about week ${weekNumber} was answered`,
      message: closes ? `${name} closed it: it was settled elsewhere.` : `${name}: ${answer}`,
      link: '/my-stipends',
      preference: 'stipendUpdates',
      eventKey: `stipend-question:${id}:answered`,
    },
  ]);
}
