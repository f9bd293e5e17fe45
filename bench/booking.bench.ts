import { bookSession, readBooking } from '#contract/booking.ts';
import { Problem } from '#contract/errors.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { buildAvailability, buildCoachingSession } from '../test/factories/coaching.ts';
import { assignCoach } from '../test/factories/cohorts.ts';
import { buildCoach, buildParticipant } from '../test/factories/people.ts';
import type { Client, TestApp } from '../test/support/app.ts';
import { openBenchApp } from './bench-app.ts';
import type { Scenario } from './scenario.ts';

const people = 50;
const hourInMs = 3_600_000;
const quarterInMs = 900_000;
const taken = 'slot_taken: This time slot is no longer available';

interface Wish {
  client: Client;
  coachId: string;
  startsAt: string;
}

/**
 * Judges each round as well as timing it. Of fifty answers, one is a session, and 49 give this reason for the refusal.
 */
export const scenario: Scenario = {
  measured: 'fifty bookings at once over HTTP: one session and 49 refusals in every round',
  baseline: 'one bare insert of a session',
  rounds: 200,
  prepare: async () => {
    const app = await openBenchApp();
    const { clients, coachIds, hours, bystanderId } = await buildPeople(app);
    const [client, coachId] = [clients[0] as Client, coachIds[0] as string];
    const wishes: Record<string, (startsAt: string) => Wish[]> = {
      'Fifty people at one half hour': (startsAt) => clients.map((one) => ({ client: one, coachId, startsAt })),
      'Fifty people at two half hours that overlap': (startsAt) =>
        clients.map((one, index) => ({ client: one, coachId, startsAt: laterBy(startsAt, (index % 2) * quarterInMs) })),
      'One person with two coaches, fifty times': (startsAt) =>
        clients.map((_, index) => ({ client, coachId: coachIds[index % 2] as string, startsAt })),
    };
    let inserted = new Date().toISOString();
    const runBaseline = async () => {
      inserted = laterBy(inserted, -hourInMs);
      await buildCoachingSession(app.db, { coachId, participantId: bystanderId, scheduledAt: inserted });
    };
    const cases = Object.entries(wishes).map(([name, wish]) => ({
      name,
      runMeasured: () => {
        const startsAt = hours.shift();
        if (!startsAt) throw new Error('There are not enough free hours.');
        return bookAtOnce(app, startsAt, wish(startsAt));
      },
      runBaseline,
    }));
    return { cases, close: app.close };
  },
};

/** Creates fifty people who share two coaches. The coaches' half hours begin at every quarter. */
async function buildPeople(app: TestApp) {
  const coachIds: string[] = [];
  for (let number = 0; number < 2; number += 1) coachIds.push((await buildCoach(app.db)).id);
  const today = dayAt(new Date(), houseZone);
  const sunday = addDays(today, -new Date(`${today}T00:00:00Z`).getUTCDay());
  const days = Array.from({ length: 35 }, (_, day) => day);
  for (const coachId of coachIds) {
    for (const day of days) {
      const times = { coachId, weekStartDate: addDays(sunday, Math.floor(day / 7) * 7), dayOfWeek: day % 7 };
      await buildAvailability(app.db, { ...times, startTime: '00:00', endTime: '24:00' });
      await buildAvailability(app.db, { ...times, startTime: '00:15', endTime: '23:45' });
    }
  }
  const clients: Client[] = [];
  for (let number = 0; number < people; number += 1) {
    const { id } = await buildParticipant(app.db);
    for (const coachId of coachIds) await assignCoach(app.db, { participantId: id, coachId });
    clients.push(await app.as({ id }));
  }
  const { id: bystanderId } = await buildParticipant(app.db);
  const { slots } = await (clients[0] as Client).call(readBooking, { query: {} });
  return { clients, coachIds, bystanderId, hours: slots.filter((slot) => new Date(slot).getUTCMinutes() === 0) };
}

/**
 * All requests are for times within the hour, and no other round uses that hour. The session is over at the end, because
 * nobody may have more than four ahead.
 */
async function bookAtOnce({ db }: TestApp, hour: string, wishes: Wish[]): Promise<void> {
  const answers = await Promise.all(
    wishes.map(async ({ client, coachId, startsAt }) => {
      const body = JSON.stringify({ coachId, startsAt, agenda: null });
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const answer = await client.fetch(bookSession.path, init);
      if (answer.ok) return null;
      const { code, detail } = Problem.parse(await answer.json());
      return `${code}: ${detail}`;
    }),
  );
  const refusals = answers.filter((answer) => answer !== null);
  const booked = answers.length - refusals.length;
  const clear = refusals.filter((refusal) => refusal === taken).length;
  const made = await db
    .updateTable('coachingSessions')
    .set({ status: 'completed' })
    .returning('id')
    .where('status', '=', 'scheduled')
    .where('scheduledAt', '>=', new Date(hour))
    .where('scheduledAt', '<', new Date(laterBy(hour, hourInMs)))
    .execute();
  if (booked !== 1 || made.length !== 1 || clear !== people - 1) {
    const unclear = refusals.find((refusal) => refusal !== taken) ?? 'none was unclear';
    throw new Error(`${booked} answers, ${made.length} sessions, ${clear} clear refusals; ${unclear}`);
  }
}

function laterBy(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
