import { bookSession, readBooking } from '#contract/booking.ts';
import { addDays, easternDay } from '#contract/weeks.ts';
import { buildAvailability, buildCoachingSession } from '../test/factories/coaching.ts';
import { assignCoach } from '../test/factories/cohorts.ts';
import { buildCoach, buildParticipant } from '../test/factories/people.ts';
import type { Client, TestApp } from '../test/support/app.ts';
import { openBenchApp } from './bench-app.ts';
import type { Scenario } from './scenario.ts';

const people = 50;
const words = 'slot_taken: This time slot is no longer available';

/** Each round is judged, not only timed: one of the fifty has the half hour, the others are told why they have not. */
export const scenario: Scenario = {
  measured: 'fifty who book one half hour at once over HTTP, one of whom gets it',
  baseline: 'one bare insert of a session',
  rounds: 200,
  prepare: async () => {
    const app = await openBenchApp();
    const { clients, coachId, participantId } = await buildPeople(app);
    const { slots } = await (clients[0] as Client).call(readBooking, { query: {} });
    let next = 0;
    const slotInTurn = () => {
      const slot = slots[next];
      next += 1;
      if (!slot) throw new Error('There are not enough half hours.');
      return slot;
    };
    let inserted = Date.now();
    return {
      cases: [
        {
          name: 'Fifty at one half hour',
          runMeasured: () => bookAtOnce(clients, coachId, slotInTurn()),
          runBaseline: async () => {
            inserted -= 3_600_000;
            const facts = { coachId, participantId, scheduledAt: new Date(inserted).toISOString() };
            await buildCoachingSession(app.db, facts);
          },
        },
      ],
      close: app.close,
    };
  },
};

async function buildPeople(app: TestApp) {
  const coach = await buildCoach(app.db);
  const today = easternDay(new Date());
  const sunday = addDays(today, -new Date(`${today}T00:00:00Z`).getUTCDay());
  for (let week = 0; week < 5; week += 1) {
    for (let dayOfWeek = 0; dayOfWeek < 7; dayOfWeek += 1) {
      const weekStartDate = addDays(sunday, week * 7);
      const times = { coachId: coach.id, weekStartDate, dayOfWeek, startTime: '00:00', endTime: '24:00' };
      await buildAvailability(app.db, times);
    }
  }
  const clients: Client[] = [];
  for (let number = 0; number < people; number += 1) {
    const { id } = await buildParticipant(app.db);
    await assignCoach(app.db, { participantId: id, coachId: coach.id });
    clients.push(await app.as({ id }));
  }
  const { id: participantId } = await buildParticipant(app.db);
  return { clients, participantId, coachId: coach.id };
}

async function bookAtOnce(clients: Client[], coachId: string, startsAt: string): Promise<void> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ coachId, startsAt, agenda: null }),
  };
  const answers = await Promise.all(clients.map((client) => client.fetch(bookSession.path, init)));
  const booked = answers.filter(({ ok }) => ok).length;
  const refusals = await Promise.all(answers.filter(({ ok }) => !ok).map((answer) => answer.json()));
  const unclear = refusals.filter(({ code, detail }) => `${code}: ${detail}` !== words);
  if (booked !== 1 || unclear.length > 0) {
    throw new Error(`${booked} booked ${startsAt}, and ${unclear.length} refusals were unclear.`);
  }
}
