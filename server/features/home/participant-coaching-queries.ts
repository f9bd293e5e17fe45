import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { ParticipantDashboard } from '#contract/home.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { externalLink } from '#server/features/coaching/booking-setup-queries.ts';
import { coachesOf } from '#server/features/coaching/coaching-access.ts';
import { contactIds } from '#server/features/messages/message-access.ts';

type Coaching = NonNullable<ParticipantDashboard['coaching']>;

/** One statement returns the coach, the session that is running or comes next, and unread messages. */
export async function findParticipantCoaching(db: Db, participantId: string, at: Date): Promise<Coaching> {
  const [found] = await coachingOf(db, { participantId, at });
  if (!found) throw new Error('A select of a person’s coaching answered no row.');
  const { nextSession, ...coaching } = found;
  return {
    ...coaching,
    nextSession: nextSession && { ...nextSession, scheduledAt: new Date(nextSession.scheduledAt).toISOString() },
  };
}

const coachingOf = builtOnce((db, { participantId, at }: { participantId: string; at: Date }) =>
  db.selectNoFrom((eb) => [
    jsonObjectFrom(
      coachesOf(db, sql.val(participantId))
        .select([
          'coach.id',
          'coach.firstName',
          'coach.lastName',
          externalLink.as('schedulingLink'),
          sql<string | null>`case when scheduling_enabled then external_booking_instructions end`.as('instructions'),
        ])
        .limit(1),
    ).as('coach'),
    jsonObjectFrom(
      eb
        .selectFrom('coachingSessions')
        .select(['id', 'scheduledAt', 'durationMinutes', 'teamsLink'])
        .where('participantId', '=', participantId)
        .where('status', '=', sql.lit('scheduled'))
        .where(sql<Date>`scheduled_at + make_interval(mins => duration_minutes)`, '>', at)
        .orderBy('scheduledAt')
        .limit(1),
    ).as('nextSession'),
    eb
      .selectFrom('coachMessages')
      .select(eb.fn.countAll<number>().as('count'))
      .where('recipientId', '=', participantId)
      .where('isRead', '=', sql.lit(false))
      .where('senderId', 'in', contactIds(db, { id: participantId, role: 'participant' }))
      .$asScalar()
      .$notNull()
      .as('unreadMessages'),
  ]),
);
