import ical from 'node-ical';
import { expect } from 'vitest';
import { makeCalendarFeed } from '#contract/calendar-feeds.ts';
import { assignCoach, buildCohort, enrol } from '../factories/cohorts.ts';
import { buildCoach, buildParticipant } from '../factories/people.ts';
import type { Person, TestApp } from './app.ts';

/** Paula, of a cohort of her own, and her coach Cora. */
export async function buildMemberWithCoach({ db }: TestApp) {
  const cohort = await buildCohort(db);
  const coach = await buildCoach(db, { firstName: 'Cora', lastName: 'Coach' });
  const participant = await buildParticipant(db, { firstName: 'Paula', lastName: 'Prior' });
  await enrol(db, { cohortId: cohort.id, participantId: participant.id });
  await assignCoach(db, { participantId: participant.id, coachId: coach.id });
  return { cohort, coach, participant };
}

/** Returns the person's calendar address and makes one if there is none. A calendar program asks for `path`. */
export async function openFeed(app: TestApp, person: Person) {
  const client = await app.as(person);
  const { address } = await client.call(makeCalendarFeed);
  return { client, address, path: new URL(address).pathname };
}

/** Asks without a cookie, as a calendar program does. */
export async function readFeed(app: TestApp, path: string, headers: Record<string, string> = {}) {
  const program = await app.as(null);
  const response = await program.fetch(path, { headers });
  return { response, text: await response.text() };
}

/** Reads the events with another library than the one that wrote them. */
export function eventsIn(text: string) {
  const entries = Object.values(ical.sync.parseICS(text));
  return entries.flatMap((entry) => (entry?.type === 'VEVENT' ? [entry] : []));
}

export async function readEvents(app: TestApp, path: string) {
  const { response, text } = await readFeed(app, path);
  expect(response.status).toBe(200);
  return eventsIn(text);
}
