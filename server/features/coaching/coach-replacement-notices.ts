import type { z } from 'zod';
import { momentIn } from '#contract/moments.ts';
import type { Db } from '#server/db/database.ts';
import { type Notice, notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';
import { cancelledByReplacement } from './coach-replacement-derivation.ts';
import type { tellOfCoachReplacementQueue } from './coach-replacement-queue.ts';
import { cancellationNotices } from './person-sessions.ts';
import { findSides, type SessionSide, sessionNotice } from './session-sides.ts';

type Settled = z.output<(typeof tellOfCoachReplacementQueue)['schema']>;

/** Tells all three of every session, in the product, by mail and in their calendars. */
export async function tellOfCoachReplacement(db: Db, settled: Settled): Promise<void> {
  const { participantId, formerCoachId, newCoachId, movedIds, cancelledIds } = settled;
  const sides = await findSides(db, [...movedIds, ...cancelledIds]);
  const former = await findPerson(db, formerCoachId);
  const notices = [...Map.groupBy(sides, ({ item }) => item.id)].flatMap(([id, both]) =>
    cancelledIds.includes(id) ? cancellationNotices(both, cancelledByReplacement) : handoverNotices(both, former),
  );
  await notify(db, notices);
  await changed(db, ['sessions', 'coaches'], [participantId, formerCoachId, newCoachId]);
}

/** The coach who has given the session up takes it out of their calendar, whatever became of it since. */
function handoverNotices(sides: SessionSide[], former: SessionSide['person']): Notice[] {
  const participant = sides.find(({ side }) => side === 'participant');
  const coach = sides.find(({ side }) => side === 'coach');
  if (!participant || !coach) throw new Error('A session without one of its sides.');
  const people = [participant.person, coach.person];
  const when = momentIn(coach.scheduledAt, coach.item.zone);
  const given = { ...coach, person: former, item: { ...coach.item, isCancelled: true } };
  const taken: Notice[] = [
    {
      title: 'A coaching session has a new coach',
      message: `Your session on ${when} is now with ${coach.person.name}.`,
      ...sessionNotice(participant, 'handed-over', people),
    },
    {
      title: 'A coaching session was handed to you',
      message: `You now have the session on ${when} with ${participant.person.name}.`,
      ...sessionNotice(coach, 'handed-over', people),
    },
  ];
  return [
    // If the session was cancelled meanwhile, both were told so.
    ...(coach.item.isCancelled ? [] : taken),
    {
      title: 'A coaching session has a new coach',
      message: `${coach.person.name} now has the session on ${when} with ${participant.person.name}.`,
      ...sessionNotice(given, 'handed-over', [participant.person, former]),
    },
  ];
}

async function findPerson(db: Db, id: string): Promise<SessionSide['person']> {
  const { firstName, lastName, email } = await db
    .selectFrom('profiles')
    .select(['firstName', 'lastName', 'email'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, name: `${firstName} ${lastName}`, email };
}
