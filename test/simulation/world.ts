import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { defaultProgrammeId, specifiedRules } from '#contract/default-programme.ts';
import { addDays } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { sessionCookie, sessionKeysOf } from '#server/sign-in/auth-cookie.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { classDayOf, cohortsOf, type Sizes } from './plan.ts';

export interface Actor {
  id: string;
  cookie: string;
}

export interface Member extends Actor {
  cohort: Cohort;
  coach: Actor;
}

export interface Cohort {
  id: string;
  /** In days: a week, or two. */
  periodDays: number;
  periods: number;
  /** In the order of their days. */
  activities: { id: string; weekNumber: number; day: string; assignmentId: string | null }[];
}

export interface World {
  /** The Monday on which both programmes begin, as an ISO date. */
  firstDay: string;
  admins: Actor[];
  coaches: Actor[];
  members: Member[];
  cohorts: Cohort[];
}

const admins = 3;
const coaches = 5;
const hoursOfClass = 4;

/** 26 weeks, paid every two weeks for the hours and for no absence without an excuse. */
const secondProgramme = {
  ...{ weeks: 26, daysPerWeek: 7, zone: 'America/Denver', payPeriod: 'two_weeks' as const },
  rules: {
    ...specifiedRules,
    name: 'Hours and presence',
    criteria: [
      { name: 'Hours', fact: 'hoursAttended' as const, limit: hoursOfClass },
      { name: 'Presence', fact: 'unexcusedAbsences' as const, limit: 0 },
    ],
    amounts: {
      ...{ perPeriodCents: 40_000, perDayCents: 0, perHourCents: 0, perTripCents: 5_000 },
      ...{ isProratedByDays: false, isProratedByAttendance: false, capCents: null },
    },
  },
};

/** Two programmes with their cohorts, and people who are signed in. Every other cohort follows the second one. */
export async function buildWorld(db: Db, secret: string, publicUrl: string, sizes: Sizes): Promise<World> {
  const firstDay = nextMonday();
  const signedIn = async ({ id }: { id: string }): Promise<Actor> => {
    const token = randomBytes(24).toString('base64url');
    const expiresAt = new Date(Date.now() + 24 * 3_600_000);
    await db.insertInto('auth.session').values({ userId: id, token, expiresAt }).execute();
    return { id, cookie: sessionCookie(token, publicUrl, sessionKeysOf([secret])).split(';')[0] ?? '' };
  };
  const world: World = { firstDay, admins: [], coaches: [], members: [], cohorts: [] };
  for (let place = 0; place < admins; place += 1) world.admins.push(await signedIn(await buildAdmin(db)));
  for (let place = 0; place < coaches; place += 1) world.coaches.push(await signedIn(await buildCoach(db)));
  const { id: secondId } = await buildProgramme(db, secondProgramme);
  for (let place = 0; place < cohortsOf(sizes); place += 1) {
    world.cohorts.push(
      await buildCohortWithClasses(db, firstDay, place, { secondId, weeks: Math.ceil(sizes.days / 7) }),
    );
  }
  for (let place = 0; place < sizes.people; place += 1) {
    const cohort = world.cohorts[place % world.cohorts.length] as Cohort;
    const coach = world.coaches[place % world.coaches.length] as Actor;
    const person = await buildParticipant(db, { firstName: `P${place}`, lastName: 'Simulated' });
    await enrol(db, { cohortId: cohort.id, participantId: person.id });
    await assignCoach(db, { participantId: person.id, coachId: coach.id });
    world.members.push({ ...(await signedIn(person)), cohort, coach });
  }
  return world;
}

/** Sessions prove who somebody is for some minutes. A term takes longer. */
export async function proveEverybody(db: Db): Promise<void> {
  await sql`update auth.session set proved_at = now(), expires_at = now() + interval '1 day'`.execute(db);
}

async function buildCohortWithClasses(
  db: Db,
  firstDay: string,
  place: number,
  { secondId, weeks }: { secondId: string; weeks: number },
): Promise<Cohort> {
  const isSecond = place % 2 === 1;
  const programmeId = isSecond ? secondId : defaultProgrammeId;
  const lastWeek = isSecond ? 26 : 16;
  const { id } = await buildCohort(db, {
    ...{ programmeId, startDate: firstDay, endDate: addDays(firstDay, lastWeek * 7 - 3) },
    name: `Simulated ${place}`,
  });
  const activities = [];
  for (let week = 1; week <= Math.min(weeks, lastWeek); week += 1) {
    const day = addDays(firstDay, 7 * (week - 1) + classDayOf(place));
    const activity = await buildActivity(db, {
      ...{ cohortId: id, weekNumber: week, sessionDate: day },
      ...{ durationMinutes: hoursOfClass * 60, deliveryMedium: week % 4 === 0 ? 'In-person' : 'Online' },
    });
    const hasWork = week % 3 === 1;
    const assignment = hasWork ? await buildAssignment(db, { trainingActivityId: activity.id }) : null;
    activities.push({ id: activity.id, weekNumber: week, day, assignmentId: assignment?.id ?? null });
  }
  const periodDays = isSecond ? 14 : 7;
  return { id, periodDays, periods: (lastWeek * 7) / periodDays, activities };
}

/** The rows get the time of the machine, so the term begins after it. */
function nextMonday(): string {
  const today = new Date().toISOString().slice(0, 10);
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(today, 7 - weekday);
}
