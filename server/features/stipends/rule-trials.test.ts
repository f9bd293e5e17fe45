import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { houseZone } from '#contract/house-zone.ts';
import { mostTriedPeople, type RuleDraft, tryRules } from '#contract/programmes.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { buildRating, buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let app: TestApp;
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(() => app.close());

/** They ask for a better rating than those in force, and pay less. */
const rules: RuleDraft = {
  name: 'Rated 4',
  criteria: [{ name: 'Performance', fact: 'rating', limit: 4 }],
  amounts: { ...specifiedRules.amounts, perPeriodCents: 40_000 },
};

async function cohortOfProgramme(startDate = '2025-09-08') {
  const { id: programmeId } = await buildProgramme(app.db);
  const { id: cohortId } = await buildCohort(app.db, { programmeId, startDate });
  const trial = (weekNumber = 1, of = programmeId) => ({
    params: { id: of },
    body: { rules, cohortId, weekNumber },
  });
  const member = async (lastName: string, overallRating: number) => {
    const { id: fellowId } = await buildParticipant(app.db, { firstName: 'Nia', lastName });
    await enrol(app.db, { cohortId, participantId: fellowId });
    await buildRating(app.db, { fellowId, cohortId, overallRating });
    return { fellowId, cohortId, isAmountSetByHand: true };
  };
  const leave = (fellowId: string) =>
    app.db
      .updateTable('cohortParticipants')
      .set({ status: 'withdrawn', endedAt: '2025-09-09T12:00:00Z' })
      .where('participantId', '=', fellowId)
      .execute();
  return { cohortId, trial, member, leave };
}

test('a trial says of each whom other rules would pay otherwise what they get now, and then, and why', async () => {
  const { trial, member, leave } = await cohortOfProgramme();
  const abe = await member('Abe', 4);
  const bell = await member('Bell', 3);
  const cobb = await member('Cobb', 4);
  await buildStipend(app.db, { ...cobb, paymentStatus: 'denied' });
  const dahl = await member('Dahl', 2);
  await buildStipend(app.db, { ...dahl, paymentStatus: 'approved', stipendAmountCents: 45_000 });
  await member('Egan', 2);
  await buildStipend(app.db, { ...(await member('Finn', 4)), stipendAmountCents: 40_000 });
  const gray = await member('Gray', 4);
  await buildStipend(app.db, { ...gray, paymentStatus: 'paid' });
  await leave(gray.fellowId);
  await leave((await member('Hunt', 4)).fellowId);

  const nothing = { isEligible: false, cents: 0 };
  const paying = (cents: number) => ({ isEligible: true, cents });
  const lines = [{ name: 'Period', count: null, cents: 40_000 }];
  const row = ({ fellowId }: { fellowId: string }, lastName: string, changes: object) => ({
    ...{ participantId: fellowId, name: `Nia ${lastName}` },
    ...changes,
  });
  const met = ['Performance: Rated 4.0 of 5'];
  expect(await admin.call(tryRules, trial())).toEqual({
    people: 7,
    before: { eligible: 5, cents: 50_000 + 50_000 + 45_000 + 40_000 + 50_000 },
    after: { eligible: 3, cents: 3 * 40_000 },
    changing: 5,
    rows: [
      row(abe, 'Abe', { before: paying(50_000), after: { ...paying(40_000), lines }, reasons: met }),
      row(bell, 'Bell', {
        ...{ before: paying(50_000), after: { ...nothing, lines } },
        reasons: ['Performance: Rated 3.0 of 5, 4.0 needed'],
      }),
      row(cobb, 'Cobb', { before: nothing, after: { ...paying(40_000), lines }, reasons: met }),
      row(dahl, 'Dahl', {
        ...{ before: paying(45_000), after: { ...nothing, lines } },
        reasons: ['Performance: Rated 2.0 of 5, 4.0 needed'],
      }),
      row(gray, 'Gray', { before: paying(50_000), after: { ...nothing, lines }, reasons: ['No longer in the cohort'] }),
    ],
  });
});

test('a week before all rules of a program pays nobody until other rules are tried on it', async () => {
  const { trial, member } = await cohortOfProgramme('1999-09-06');
  await member('Abe', 4);
  expect(await admin.call(tryRules, trial())).toMatchObject({
    ...{ people: 1, changing: 1, before: { eligible: 0, cents: 0 }, after: { eligible: 1, cents: 40_000 } },
    rows: [{ before: { isEligible: false, cents: 0 }, after: { isEligible: true, cents: 40_000 } }],
  });
});

test('rules are tried on a week that has begun, of a cohort that follows the program', async () => {
  const today = dayAt(new Date(), houseZone);
  const { trial } = await cohortOfProgramme(addDays(today, -8));
  expect(await admin.call(tryRules, trial(2))).toMatchObject({ people: 0, changing: 0, rows: [] });
  const message = 'Choose a week of the cohort that has begun.';
  expect(await admin.refused(tryRules, trial(3))).toMatchObject({
    status: 422,
    problem: { detail: message, errors: [{ path: 'weekNumber', message }] },
  });
  const { id: other } = await buildProgramme(app.db);
  expect(await admin.refused(tryRules, trial(1, other))).toMatchObject({
    status: 404,
    problem: { detail: 'This cohort is not of this program.' },
  });
});

test('a trial names 200 of those whom it would change, and counts them all', async () => {
  const { cohortId, trial } = await cohortOfProgramme();
  const people = mostTriedPeople + 1;
  await sql`
    with made as (
      insert into auth."user" (name, email, email_verified, first_name, last_name)
      select 'Member', 'tried-' || n || '@people.example', true, 'Member', n from generate_series(1, ${people}::integer) n
      returning id, email, first_name, last_name
    ), people as (
      insert into profiles (id, email, first_name, last_name, role, track_type)
      select id, email, first_name, last_name, 'participant', 'fellowship' from made returning id
    )
    insert into cohort_participants (cohort_id, participant_id, enrolled_at)
    select ${cohortId}, id, '2025-09-08' from people`.execute(app.db);
  const { id: ratedBy } = await buildAdmin(app.db);
  await sql`
    insert into performance_feedback (fellow_id, cohort_id, week_number, overall_rating, rated_by)
    select participant_id, cohort_id, 1, 4, ${ratedBy} from cohort_participants where cohort_id = ${cohortId}`.execute(
    app.db,
  );
  const found = await admin.call(tryRules, trial());
  expect(found).toMatchObject({ people, changing: people, after: { eligible: people, cents: people * 40_000 } });
  expect(found.rows).toHaveLength(mostTriedPeople);
});
