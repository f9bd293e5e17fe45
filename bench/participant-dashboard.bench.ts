import pg from 'pg';
import { readParticipantDashboard } from '#contract/home.ts';
import { addDays, easternDay } from '#contract/weeks.ts';
import { buildCohort, enrol } from '../test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from '../test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '../test/factories/people.ts';
import { openBenchApp } from './bench-app.ts';
import { recordStatements } from './record-statements.ts';
import type { Scenario } from './scenario.ts';

const weeks = 16;
const activitiesAWeek = 5;
const membersOfCohort = 200;

export const scenario: Scenario = {
  name: 'Participant dashboard',
  measured: 'the dashboard over HTTP, parsed and checked',
  baseline: 'the same SQL statements through the bare driver',
  rounds: 200,
  prepare: async () => {
    const app = await openBenchApp();
    const participant = await fillCohort(app.db);
    const client = await app.as(participant);
    const read = async () => void (await client.call(readParticipantDashboard));
    const statements = await recordStatements(read);
    const bare = new pg.Client({ connectionString: app.connectionString });
    await bare.connect();
    return {
      runMeasured: read,
      runBaseline: async () => {
        for (const { text, values } of statements) await bare.query(text, values);
      },
      close: async () => {
        await bare.end();
        await app.close();
      },
    };
  },
};

async function fillCohort(db: Parameters<typeof buildCohort>[0]) {
  const cohort = await buildCohort(db, { startDate: addDays(easternDay(new Date()), -28), capacity: membersOfCohort });
  const coach = await buildCoach(db);
  const participant = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  for (let other = 1; other < membersOfCohort; other += 1) {
    await enrol(db, { cohortId: cohort.id, participantId: (await buildParticipant(db)).id });
  }
  for (let index = 0; index < weeks * activitiesAWeek; index += 1) {
    const weekNumber = 1 + Math.floor(index / activitiesAWeek);
    const activity = await buildActivity(db, { cohortId: cohort.id, weekNumber });
    const item = await buildContentItem(db, { trainingActivityId: activity.id });
    await buildAssignment(db, { contentItemId: item.id });
  }
  return participant;
}
