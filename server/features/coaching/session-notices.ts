import { momentIn } from '#contract/moments.ts';
import type { Db } from '#server/db/database.ts';
import { showNotice } from '#server/platform/live.ts';
import { notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';
import { findSides, type SessionSide, type Side, sessionNotice } from './session-sides.ts';

type SessionChange = { by: Side } & (
  | { kind: 'booked' }
  | { kind: 'moved'; from: Date }
  | { kind: 'cancelled'; reason?: string }
);

/**
 * Both sides are told in words, in the product and by mail. The mail brings the session into their calendars, changes
 * it there or takes it away. The person who acted read it on the screen, so no toast repeats it.
 */
export async function tellOfSession(db: Db, sessionId: string, change: SessionChange): Promise<void> {
  const sides = await findSides(db, [sessionId]);
  const people = sides.map(({ person }) => person);
  const told = sides.map((side) => ({ ...side, words: wordsFor(side, otherOf(side, sides).name, change) }));
  await notify(
    db,
    told.map(({ words, ...side }) => ({ ...words, ...sessionNotice(side, change.kind, people) })),
  );
  const type = change.kind === 'cancelled' ? 'warning' : 'info';
  await changed(
    db,
    'sessions',
    people.map(({ id }) => id),
  );
  for (const { person, side, words } of told) {
    if (side !== change.by) await showNotice(db, [person.id], { type, ...words });
  }
}

function otherOf({ person, item }: SessionSide, sides: SessionSide[]): SessionSide['person'] {
  const other = sides.find((side) => side.person.id !== person.id);
  if (!other) throw new Error(`A session without its other side: ${item.id}`);
  return other.person;
}

/** The person who acted reads a confirmation. */
function wordsFor(
  { side, scheduledAt, item }: SessionSide,
  otherName: string,
  change: SessionChange,
): { title: string; message: string } {
  const isOwn = side === change.by;
  const who = isOwn ? 'You' : otherName;
  const withWhom = isOwn ? ` with ${otherName}` : '';
  const when = momentIn(scheduledAt, item.zone);
  switch (change.kind) {
    case 'booked':
      return {
        title: isOwn ? 'Your coaching session is booked' : 'A coaching session was booked',
        message: `${who} booked a session${withWhom} on ${when}.`,
      };
    case 'moved':
      return {
        title: isOwn ? 'Your coaching session is moved' : 'A coaching session was moved',
        message: `${who} moved the session${withWhom} from ${momentIn(change.from, item.zone)} to ${when}.`,
      };
    case 'cancelled':
      return {
        title: isOwn ? 'Your coaching session is cancelled' : 'A coaching session was cancelled',
        message: `${who} cancelled the session${withWhom} on ${when}.${change.reason ? ` Reason: ${change.reason}` : ''}`,
      };
  }
}
