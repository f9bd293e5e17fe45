import type { Model } from './linearizability.ts';

/** Each participant has one coach, so a coach's calendar with its participants is an object of its own. */
export type BookingCall = { coach: string } & (
  | { act: 'book'; person: string; session: string; slot: number }
  | { act: 'move'; person: string; session: string; slot: number }
  | { act: 'withdraw'; person: string; session: string }
  /** By the coach. */
  | { act: 'cancel'; session: string }
  | { act: 'see free times'; person: string }
  | { act: 'see own sessions'; person: string }
  | { act: 'see sessions' }
);

export interface Session {
  session: string;
  person: string;
  slot: number;
  status: 'scheduled' | 'withdrawn' | 'cancelled';
}

/** The sessions ever made, by name. */
export type Calendar = readonly Session[];

interface Offer {
  /** The coach offers so many half hours. */
  slots: number;
  /** A participant may have so many sessions to come. */
  mostOpen: number;
}

const scheduled = (calendar: Calendar) => calendar.filter(({ status }) => status === 'scheduled');

export function bookingModel({ slots, mostOpen }: Offer): Model<BookingCall, Calendar> {
  return {
    objectOf: ({ coach }) => coach,
    initial: () => [],
    run: (state, { call }) => [answerTo(state, call)],
    say: (call) => sentence(call),
  };

  function answerTo(state: Calendar, call: BookingCall): { answer: string; state: Calendar } {
    if (call.act === 'see free times') return { answer: listed(freeIn(state)), state };
    if (call.act === 'see own sessions') {
      return { answer: sessionsListed(state.filter(({ person }) => person === call.person)), state };
    }
    if (call.act === 'see sessions') return { answer: sessionsListed(state), state };
    if (call.act === 'book') return book(state, call);
    const found = state.find(({ session }) => session === call.session);
    if (!found || (call.act !== 'cancel' && found.person !== call.person)) return { answer: 'not_found', state };
    if (call.act === 'move') return move(state, found, call.slot);
    return end(state, found, call.act === 'cancel' ? 'cancelled' : 'withdrawn');
  }

  function freeIn(state: Calendar): number[] {
    const taken = new Set(scheduled(state).map(({ slot }) => slot));
    return Array.from({ length: slots }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  }

  /** The same session, asked for once more, is booked already. */
  function book(state: Calendar, { person, session, slot }: Extract<BookingCall, { act: 'book' }>) {
    const made = state.find((one) => one.session === session);
    const isSame = made?.status === 'scheduled' && made.slot === slot;
    const open = scheduled(state).filter((one) => one.person === person).length;
    if (open >= mostOpen) return { answer: isSame ? 'ok' : 'conflict', state };
    if (!freeIn(state).includes(slot)) return { answer: isSame ? 'ok' : 'slot_taken', state };
    if (made) return { answer: 'conflict', state };
    const after: Calendar = [...state, { session, person, slot, status: 'scheduled' }];
    return { answer: 'ok', state: after.toSorted((one, other) => (one.session < other.session ? -1 : 1)) };
  }

  function move(state: Calendar, found: Session, slot: number) {
    if (found.status !== 'scheduled') return { answer: 'conflict', state };
    if (found.slot === slot) return { answer: 'ok', state };
    if (!freeIn(state).includes(slot)) return { answer: 'slot_taken', state };
    return { answer: 'ok', state: changed(state, found, { slot }) };
  }
}

/** A person who ends it once more is told that it is done. */
function end(state: Calendar, found: Session, status: 'cancelled' | 'withdrawn') {
  if (found.status === status) return { answer: 'ok', state };
  if (found.status !== 'scheduled') return { answer: 'conflict', state };
  return { answer: 'ok', state: changed(state, found, { status }) };
}

function changed(state: Calendar, found: Session, change: Partial<Session>): Calendar {
  return state.map((one) => (one === found ? { ...one, ...change } : one));
}

function sessionsListed(calendar: Calendar): string {
  return listed(scheduled(calendar).map(({ session, slot }) => `${slot}: ${session}`));
}

/** How a list is answered, whatever its order. */
export function listed(parts: (string | number)[]): string {
  return parts.length === 0 ? 'none' : parts.map(String).toSorted().join(', ');
}

function sentence(call: BookingCall): string {
  const who = 'person' in call ? call.person : call.coach;
  const what = 'session' in call ? ` ${call.session}` : '';
  const when = 'slot' in call ? ` at half hour ${call.slot}` : '';
  return `${who}: ${call.act}${what}${when}`;
}
