import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { RuleSet } from '#contract/stipend-rules.ts';
import { processStipends } from '#contract/stipends.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { attend, buildRating } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';
import { daysOfPeriods, expectedStipend, type OracleProgramme } from '#test/support/programme-oracle.ts';

let app: TestApp;
let admin: Client;
let adminId: string;

beforeAll(async () => {
  app = await startTestApp();
  const built = await buildAdmin(app.db);
  adminId = built.id;
  admin = await app.as(built);
});
afterAll(() => app.close());

const plus = (text: string, days: number) =>
  new Date(Date.parse(`${text}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

const programmes = fc.record({
  start: fc.integer({ min: 0, max: 700 }).map((days) => plus('2024-01-01', days)),
  weeks: fc.integer({ min: 1, max: 20 }),
  daysPerWeek: fc.integer({ min: 1, max: 7 }),
  zone: fc.constantFrom('America/New_York', 'America/Denver', 'America/Phoenix', 'Australia/Sydney', 'UTC'),
  payPeriod: fc.constantFrom('week' as const, 'two_weeks' as const, 'month' as const),
});
const limits = {
  attendanceShare: [1, 100],
  sessionsAttended: [1, 4],
  minutesAttended: [30, 600],
  hoursAttended: [1, 8],
  absences: [0, 3],
  unexcusedAbsences: [0, 3],
  daysEnrolled: [1, 12],
  rating: [2, 5],
} as const;
const asks = fc
  .constantFrom(...(Object.keys(limits) as (keyof typeof limits)[]))
  .chain((fact) => fc.integer({ min: limits[fact][0], max: limits[fact][1] }).map((limit) => ({ fact, limit })));
const cents = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60_000 }));
const rules = fc.record({
  asks: fc.array(asks, { minLength: 1, maxLength: 3 }),
  ...{ perPeriod: cents, perDay: cents, perHour: cents, perTrip: cents },
  ...{ byDays: fc.boolean(), byAttendance: fc.boolean(), cap: fc.option(fc.integer({ min: 100, max: 90_000 })) },
});
const activities = fc.array(
  fc.record({
    ...{ weekAt: fc.nat(999), dayInWeek: fc.option(fc.nat(6)), minutes: fc.option(fc.integer({ min: 5, max: 480 })) },
    isInPerson: fc.boolean(),
  }),
  { maxLength: 8 },
);
const people = fc.array(
  fc.record({
    ...{ joinedAfter: fc.integer({ min: -240, max: 900 }), leftAfter: fc.option(fc.integer({ min: 1, max: 1400 })) },
    ...{ attends: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }) },
    ...{
      excused: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      rating: fc.option(fc.integer({ min: 2, max: 10 })),
    },
  }),
  { minLength: 1, maxLength: 3 },
);

test('random rules over random programs judge and pay as a second calculation does that shares no code', async () => {
  await fc.assert(
    fc.asyncProperty(
      programmes,
      rules,
      activities,
      people,
      fc.nat(999),
      async (programme, given, held, members, at) => {
        const number = 1 + (at % daysOfPeriods(programme).length);
        const { cohort, taught } = await teach(programme, given, held);
        const expected = new Map<string, ReturnType<typeof expectedStipend>>();
        for (const member of members) {
          const joined = instantAfter(programme.start, member.joinedAfter);
          const left =
            member.leftAfter === null ? null : instantAfter(programme.start, member.joinedAfter + member.leftAfter);
          const attended = taught.filter((_, index) => member.attends[index]);
          const excused = taught.filter((_, index) => member.excused[index]).map(({ id }) => id);
          const rating = member.rating === null ? null : member.rating / 2;
          const { id } = await buildParticipant(app.db);
          await enrol(app.db, { cohortId: cohort.id, participantId: id });
          await app.db
            .updateTable('cohortParticipants')
            .set({ enrolledAt: joined, ...(left ? { endedAt: left, status: 'withdrawn' } : {}) })
            .where('participantId', '=', id)
            .execute();
          await attend(
            app.db,
            id,
            attended.map(({ id: activityId, week }) => ({ id: activityId, cohortId: cohort.id, weekNumber: week })),
          );
          for (const activityId of excused) {
            const excuse = { participantId: id, activityId, reason: 'Was ill', excusedBy: adminId };
            await app.db.insertInto('excusedAbsences').values(excuse).execute();
          }
          if (rating !== null) {
            await buildRating(app.db, { fellowId: id, cohortId: cohort.id, weekNumber: number, overallRating: rating });
          }
          const person = { joined, left, attended: attended.map((one) => one.id), excused, rating };
          expected.set(id, expectedStipend(programme, given, taught, person, number));
        }
        await admin.call(processStipends, { body: { cohortId: cohort.id, weekNumber: number } });
        const rows = await app.db
          .selectFrom('stipendEligibility')
          .select(['fellowId', 'overallEligible', 'stipendAmountCents'])
          .where('cohortId', '=', cohort.id)
          .execute();
        for (const [id, { isEligible, cents: sum }] of expected) {
          const row = rows.find(({ fellowId }) => fellowId === id);
          // Who left unpaid has no row.
          if (row) expect([row.overallEligible, row.stipendAmountCents]).toEqual([isEligible, sum]);
          else expect(isEligible).toBe(false);
        }
      },
    ),
    { numRuns: sizeOf({ usual: 15, deep: 1000 }) },
  );
});

async function teach(
  programme: OracleProgramme,
  given: typeof rules extends fc.Arbitrary<infer Value> ? Value : never,
  held: { weekAt: number; dayInWeek: number | null; minutes: number | null; isInPerson: boolean }[],
) {
  const { start, ...facts } = programme;
  const ruleSet = RuleSet.parse({
    ...specifiedRules,
    criteria: given.asks.map((one, index) => ({ name: `Requirement ${index + 1}`, ...one })),
    amounts: {
      ...{ perPeriodCents: given.perPeriod, perDayCents: given.perDay, perHourCents: given.perHour },
      ...{ perTripCents: given.perTrip, isProratedByDays: given.byDays, isProratedByAttendance: given.byAttendance },
      capCents: given.cap,
    },
  });
  const { id: programmeId } = await buildProgramme(app.db, { ...facts, rules: ruleSet });
  const cohort = await buildCohort(app.db, { programmeId, startDate: start, endDate: plus(start, 7 * facts.weeks) });
  const taught = [];
  for (const { weekAt, dayInWeek, minutes, isInPerson } of held) {
    const week = 1 + (weekAt % facts.weeks);
    const day = dayInWeek === null ? null : plus(start, 7 * (week - 1) + dayInWeek);
    const { id } = await buildActivity(app.db, {
      ...{ cohortId: cohort.id, weekNumber: week, sessionDate: day, durationMinutes: minutes },
      deliveryMedium: isInPerson ? 'In-person' : 'Online',
    });
    taught.push({ id, week, day, minutes, isInPerson });
  }
  return { cohort, taught };
}

/** Hours after the start of a day in UTC. */
function instantAfter(start: string, hours: number): string {
  return new Date(Date.parse(`${start}T00:00:00Z`) + hours * 3_600_000).toISOString();
}
