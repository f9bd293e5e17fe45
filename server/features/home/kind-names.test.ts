import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCoachDashboard } from '#contract/home.ts';
import { readPerson } from '#contract/people.ts';
import { listUsers } from '#contract/user-management.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('each participant is called what the program of their present cohort calls their kind, in every list', async () => {
  const coach = await buildCoach(server.db);
  const programme = await buildProgramme(server.db, { payPeriod: 'month' });
  const cohorts = [
    await buildCohort(server.db, { startDate: '2025-09-08' }),
    await buildCohort(server.db, { startDate: '2025-09-15', programmeId: programme.id }),
  ];
  const people = [];
  for (const [place, firstName] of ['Ana', 'Ben', 'Cleo'].entries()) {
    const participant = await buildParticipant(server.db, { firstName });
    await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
    const cohort = cohorts[place];
    if (cohort) await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
    people.push(participant);
  }
  const words = [
    ['Ana', 'Fellowship', 'week'],
    ['Ben', 'Fellows', 'month'],
    ['Cleo', null, null],
  ];
  const { participants } = await (await server.as(coach)).call(readCoachDashboard);
  const inOrder = participants.toSorted((one, other) => one.firstName.localeCompare(other.firstName));
  expect(inOrder.map(({ firstName, kindName, payPeriod }) => [firstName, kindName, payPeriod])).toEqual(words);

  const admin = await server.as(await buildAdmin(server.db));
  for (const [place, { id }] of people.entries()) {
    const { rows } = await admin.call(listUsers, { query: { search: id } });
    expect(rows.map(({ kindName }) => kindName)).toEqual([words[place]?.[1]]);
    const { person } = await admin.call(readPerson, { params: { id } });
    expect(person.kindName).toBe(words[place]?.[1]);
  }
});
