import { sql } from 'kysely';
import { momentIn } from '#contract/moments.ts';
import type { Db } from '#server/db/database.ts';
import { audit } from '#server/platform/audit.ts';
import { type Notice, notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';
import { isToComeFor } from './person-sessions-queries.ts';
import { findSides, type SessionSide, sessionNotice } from './session-sides.ts';

/**
 * Cancels everything that the person has scheduled from now on, on either side. Tells both sides in the product, by
 * mail and in their calendars. A deleted person has no address any more.
 */
export async function cancelSessionsOfPerson(
  db: Db,
  actorId: string | null,
  personId: string,
  reason: string,
): Promise<void> {
  const cancelled = await sql<{ id: string }>`
    update coaching_sessions set status = 'cancelled', cancel_reason = ${reason}
    where ${isToComeFor(personId)}
    returning id`.execute(db);
  const ids = cancelled.rows.map(({ id }) => id);
  await audit(
    db,
    actorId,
    ids.map((id) => ({
      action: 'session.cancel',
      subjectType: 'coaching_session',
      subjectId: id,
      before: { status: 'scheduled' },
      after: { status: 'cancelled' },
      reason,
    })),
  );
  const sides = (await findSides(db, ids)).filter(({ isDeleted }) => !isDeleted);
  await notify(
    db,
    cancellationNotices(sides, reason).map((notice) =>
      // A person with a new role has other screens now.
      notice.userId === personId ? { ...notice, link: '/dashboard' } : notice,
    ),
  );
  await changed(db, 'sessions', [personId, ...sides.map(({ person }) => person.id)]);
}

/** Tells both people of each session, because neither of them cancelled it. */
export function cancellationNotices(sides: SessionSide[], reason: string): Notice[] {
  const bySession = Map.groupBy(sides, ({ item }) => item.id);
  return sides.map((side) => ({
    title: 'A coaching session was cancelled',
    message: `The session on ${momentIn(side.scheduledAt, side.item.zone)} is cancelled. Reason: ${reason}`,
    ...sessionNotice(
      side,
      'cancelled',
      (bySession.get(side.item.id) ?? []).map(({ person }) => person),
    ),
  }));
}
