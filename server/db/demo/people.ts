import { sql } from 'kysely';
import type { Role, TrackType } from '#contract/roles.ts';
import { addDays } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { saveBookingSetup } from '#server/features/coaching/booking-setup.ts';
import { assignCoach } from '#server/features/cohorts/coach-assignments.ts';
import { createCourse } from '#server/features/cohorts/courses.ts';
import { enrolInFellowship } from '#server/features/cohorts/enrolments.ts';
import type { Actor } from '#server/platform/actor.ts';
import { standingAt } from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import { createSignIns } from '#server/sign-in/sign-ins.ts';
import { activeFellows, demoAddress, demoCoaches, formerFellows, lineWorkers, type Name } from './names.ts';
import { easternTime } from './past.ts';

export interface DemoPeople {
  admin: Actor;
  /** The first one is coach@demo.example. */
  coaches: Actor[];
  /** They are in the active cohort. The first one is participant@demo.example. */
  fellows: DemoFellow[];
  formerFellows: Actor[];
  /** They are in the second program. */
  apprentices: DemoFellow[];
}

export type DemoFellow = Actor & { coach: Actor };

type Facts = { email?: string; role?: Role; trackType?: TrackType; requestedRole?: 'coach' };

/** Makes everybody who can sign in from the start. All have the demo's password. */
export async function makePeople(db: Db): Promise<DemoPeople> {
  const admin = person(['Avery', 'Castellanos'], { email: 'admin@demo.example', role: 'admin' });
  const colleague = person(['Ruth', 'Abramowitz'], { role: 'admin' });
  const coaches = demoCoaches.map((name, index) =>
    person(name, { role: 'coach', ...(index === 0 ? { email: 'coach@demo.example' } : {}) }),
  );
  const fellows = activeFellows.map((name, index) =>
    person(name, { trackType: 'fellowship', ...(index === 0 ? { email: 'participant@demo.example' } : {}) }),
  );
  const apprentices = lineWorkers.map((name, index) =>
    person(name, { trackType: 'fellowship', ...(index === 0 ? { email: 'apprentice@demo.example' } : {}) }),
  );
  const former = formerFellows.map((name) => person(name, { trackType: 'fellowship' }));
  const others = [
    person(['Sam', 'Newcombe'], { email: 'newcomer@demo.example', trackType: 'fellowship' }),
    person(['Gwendolyn', 'Aspinall'], { requestedRole: 'coach' }),
    person(['Marcus', 'Tillery'], { trackType: 'adult_mobilization' }),
    person(['Noor', 'El-Amin'], { trackType: 'self_learner' }),
  ];
  const passwordHash = await hashPassword(demoPassword);
  const everybody = [admin, colleague, ...coaches, ...fellows, ...apprentices, ...former, ...others];
  await createSignIns(
    db,
    everybody.map((one) => ({ ...one, passwordHash, isEmailConfirmed: true })),
  );
  return {
    admin,
    coaches,
    fellows: fellows.map((fellow, index) => ({ ...fellow, coach: coachOf(coaches, index) })),
    formerFellows: former,
    apprentices: apprentices.map((one) => ({ ...one, coach: coachOf(coaches, 2) })),
  };
}

/** Nobody is signed in while the demo fills up. The acts that it calls never look at the session. */
function person(name: Name, { email, role = 'participant', trackType, requestedRole }: Facts) {
  const [firstName, lastName] = name;
  const address = email ?? demoAddress(name);
  return {
    id: newId(),
    email: address,
    firstName,
    lastName,
    role,
    trackType: trackType ?? null,
    requestedRole: requestedRole ?? null,
    sessionId: '',
  };
}

function coachOf(coaches: Actor[], index: number): Actor {
  const coach = coaches[index % coaches.length];
  if (!coach) throw new Error('The demo needs a coach.');
  return coach;
}

/** Makes one course for each programme. Coaches are assigned in a course. */
export async function makeCourses(db: Db, admin: Actor): Promise<void> {
  await createCourse(db, admin, { title: 'Power Systems Fellowship', trackType: 'fellowship', isArchived: false });
  await createCourse(db, admin, {
    title: 'Adult Mobilization Program',
    trackType: 'adult_mobilization',
    isArchived: false,
  });
  await createCourse(db, admin, {
    title: 'Self-Paced Energy Foundations',
    trackType: 'self_learner',
    isArchived: false,
  });
}

/** Registers people one by one, as an admin would, and dates it back to the week before the cohort began. */
export async function enrolAll(db: Db, admin: Actor, people: Actor[], cohort: { id: string; startDate: string }) {
  for (const one of people) await enrolInFellowship(db, admin, one.id, cohort.id);
  const ids = people.map(({ id }) => id);
  await sql`
    with dated as (
      update cohort_participants set enrolled_at = ${cohort.startDate}::date - interval '5 days'
      where cohort_id = ${cohort.id} and participant_id = any(${ids}::uuid[])
    )
    update user_courses set start_date = ${cohort.startDate}::date where user_id = any(${ids}::uuid[])`.execute(db);
}

/** Assigns them in the same week, all participants of a coach at once. */
export async function assignCoaches(db: Db, admin: Actor, fellows: DemoFellow[], startDate: string): Promise<void> {
  for (const [coachId, own] of Map.groupBy(fellows, ({ coach }) => coach.id)) {
    const participantIds = own.map(({ id }) => id);
    await standingAt(easternTime(addDays(startDate, -5), '09:30'), () =>
      assignCoach(db, admin, { coachId, participantIds }),
    );
  }
}

export async function setUpBooking(db: Db, coaches: Actor[]): Promise<void> {
  const [first] = coaches;
  if (!first) return;
  await saveBookingSetup(db, first, {
    schedulingEnabled: true,
    schedulingLink: 'https://booking.example/denise-okafor',
    instructions: 'Please write in one line what you would like to talk about.',
  });
}
