import fc from 'fast-check';
import { bookSession, moveSession, readBooking, withdrawSession } from '#contract/booking.ts';
import { cancelSession, listUpcomingSessions } from '#contract/coach-sessions.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { now } from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';
import { buildAvailability } from '#test/factories/coaching.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { client as clientOf, type TestApp } from '../app.ts';
import { openProcessSession } from '../server-process.ts';
import { type BookingCall, bookingModel, listed } from './booking-model.ts';
import { type Asked, answerTo, at, clientCount, type HistorySize, one, runHistory, scheduleOf } from './clients.ts';
import type { TwoProcesses } from './two-processes.ts';

const offer = { slots: 8, mostOpen: 2 };
const hours = { dayOfWeek: 3, startTime: '10:00', endTime: '14:00' };
/** So many acts concern one coach, before the clients turn to the next. */
const actsForEach = 120;

/** The processes of this history need these. */
export const bookingSettings = { BOOKINGS_OPEN: String(offer.mostOpen) };

const plans = fc.record({
  act: fc.constantFrom(
    ...(['book', 'book', 'book', 'move', 'move', 'withdraw', 'cancel', 'see own sessions', 'see sessions'] as const),
  ),
  slot: fc.nat(offer.slots - 1),
  /** The client whose session the coach cancels, and which of the sessions an act is about. */
  other: fc.nat(clientCount - 1),
  which: fc.nat(offer.mostOpen),
});
type Plan = typeof plans extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Eight participants of each coach book, move and cancel, and the coach cancels too. */
export async function bookingHistory(server: TestApp, processes: TwoProcesses, size: HistorySize) {
  const schedule = scheduleOf(plans, size);
  const count = Math.ceil(size.acts / actsForEach);
  const coaches = await Promise.all(Array.from({ length: count }, () => buildBookedCoach(server, processes)));
  const names = new Map<string, string>();
  /** What each client has booked with each coach. */
  const booked = new Map<string, { name: string; id: string }[]>();

  function ask(plan: Plan, client: number, place: number): Asked<BookingCall> {
    const index = Math.floor((place * count) / at(schedule.clients, client).length);
    if (plan.act === 'see sessions') return seeSessions(index);
    if (plan.act === 'see own sessions') return seeBooking(index, client);
    const owner = plan.act === 'cancel' ? plan.other : client;
    const sessions = booked.get(`${index} ${owner}`) ?? [];
    const session = sessions.at(-1 - plan.which) ?? sessions[0];
    if (!session || plan.act === 'book') {
      return book(index, client, { slot: plan.slot, name: `session ${client + 1}.${place + 1}` });
    }
    return change(index, client, { ...plan, ...session });
  }

  function book(index: number, client: number, { slot, name }: { slot: number; name: string }): Asked<BookingCall> {
    const { id: coachId, slots, people } = at(coaches, index);
    const id = newId();
    names.set(id, name);
    const mine = booked.get(`${index} ${client}`) ?? [];
    booked.set(`${index} ${client}`, mine);
    const body = { id, coachId, startsAt: at(slots, slot), agenda: null };
    const call = { coach: coachName(index), act: 'book', person: personName(client), session: name, slot } as const;
    const asked = one<BookingCall>(call, at(people, client).cookie, (asker) =>
      answerTo(asker.ask(bookSession, { body }), () => {
        mine.push({ name, id });
        return 'ok';
      }),
    );
    return { ...asked, isRepeated: true };
  }

  function change(index: number, client: number, { act, slot, name, id }: Plan & { name: string; id: string }) {
    const { slots, cookie, people } = at(coaches, index);
    const [coach, params] = [coachName(index), { id }];
    const own = { coach, person: personName(client), session: name };
    const cookieOfPerson = at(people, client).cookie;
    if (act === 'move') {
      return one<BookingCall>({ ...own, act, slot }, cookieOfPerson, (asker) =>
        answerTo(asker.ask(moveSession, { params, body: { startsAt: at(slots, slot) } })),
      );
    }
    if (act === 'withdraw') {
      return one<BookingCall>({ ...own, act }, cookieOfPerson, (asker) =>
        answerTo(asker.ask(withdrawSession, { params })),
      );
    }
    return one<BookingCall>({ coach, act: 'cancel', session: name }, cookie, (asker) =>
      answerTo(asker.ask(cancelSession, { params, body: { reason: null } })),
    );
  }

  /** The screen reads free times and own sessions one after the other, so they are two acts at once. */
  function seeBooking(index: number, client: number): Asked<BookingCall> {
    const { slots, people } = at(coaches, index);
    const who = { coach: coachName(index), person: personName(client) };
    return {
      calls: [
        { ...who, act: 'see free times' },
        { ...who, act: 'see own sessions' },
      ],
      cookie: at(people, client).cookie,
      answer: async (asker) => {
        const seen = await asker.call(readBooking, { query: {} });
        return [listed(seen.slots.map((instant) => slots.indexOf(instant))), sessionsListed(slots, seen.sessions)];
      },
    };
  }

  function seeSessions(index: number): Asked<BookingCall> {
    const { slots, cookie } = at(coaches, index);
    return one({ coach: coachName(index), act: 'see sessions' }, cookie, async (asker) =>
      sessionsListed(slots, (await asker.call(listUpcomingSessions, { query: {} })).rows),
    );
  }

  function sessionsListed(slots: string[], sessions: { id: string; scheduledAt: string }[]): string {
    return listed(sessions.map(({ id, scheduledAt }) => `${slots.indexOf(scheduledAt)}: ${names.get(id)}`));
  }

  const lastly = coaches.flatMap((_, index) => [seeSessions(index), seeBooking(index, 0)]);
  return { model: bookingModel(offer), acts: await runHistory(processes, schedule, { ask, lastly }) };
}

/** A coach who offers some half hours next week, with a participant for each client. */
async function buildBookedCoach(server: TestApp, processes: TwoProcesses) {
  const coach = await buildCoach(server.db);
  await buildAvailability(server.db, { coachId: coach.id, weekStartDate: nextSunday(), ...hours });
  const people: { cookie: string }[] = [];
  for (let client = 0; client < clientCount; client += 1) {
    const participant = await buildParticipant(server.db);
    await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
    people.push({ cookie: await openProcessSession(server, participant) });
  }
  const { slots } = await clientOf(processes.up(0).url, at(people, 0).cookie).call(readBooking, { query: {} });
  return { id: coach.id, cookie: await openProcessSession(server, coach), slots, people };
}

function nextSunday(): string {
  const today = dayAt(now(), houseZone);
  return addDays(today, 7 - new Date(`${today}T00:00:00Z`).getUTCDay());
}

const coachName = (index: number) => `coach ${index + 1}`;
const personName = (client: number) => `participant ${client + 1}`;
