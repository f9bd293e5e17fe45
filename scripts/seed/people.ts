import { type RawBuilder, sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import type { Role } from '#contract/roles.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { createSignIns } from '#server/sign-in/sign-ins.ts';
import { drawn, easternAt, idOf } from './draws.ts';
import { firstNames, lastNames } from './names.ts';
import { type CohortPlan, coachesOf, participantsOfCoach } from './plan.ts';

/** The first one approves, the second approves where two are needed, and the third changes amounts and pays. */
export type SeededAdmins = [approver: Actor, second: Actor, payer: Actor];

const adminNames = ['admin', 'admin-2', 'admin-3'];

/** What somebody is like: how many of a thousand sessions they attend, and how many assignments they hand in. */
const manners = [
  { below: 5, attends: 600, handsIn: 720, rating: 2 },
  { below: 20, attends: 900, handsIn: 940, rating: 3 },
  { below: 100, attends: 985, handsIn: 994, rating: 3.5 },
];

export async function seedAdmins(db: Db, seed: number, passwordHash: string): Promise<SeededAdmins> {
  const people = adminNames.map((name) => personOf(`seed${seed}-${name}`, 'admin', passwordHash));
  await createSignIns(db, people);
  await sql`
    update profiles set created_at = ${addDays(dayAt(new Date(), houseZone), -400)}::date + interval '14 hours'
    where id = any(${people.map(({ id }) => id)}::uuid[])`.execute(db);
  const [approver, second, payer] = people.map((person) => ({ ...person, sessionId: '' }));
  if (!approver || !second || !payer) throw new Error('The seed needs three admins.');
  return [approver, second, payer];
}

/** The stipends of the cohort. No index leads from a cohort to all of its stipends, but one from each member does. */
export function isOfMembers(cohortId: string): RawBuilder<boolean> {
  return sql<boolean>`fellow_id in (select participant_id from seeded_members) and cohort_id = ${cohortId}`;
}

interface Enrolment {
  cohortId: string;
  courseId: string;
  passwordHash: string;
  admin: Actor;
}

/**
 * Makes the coaches and participants of a cohort with their places in it. `seeded_members` has the participants until
 * the transaction ends.
 */
export async function seedPeople(
  db: Db,
  plan: CohortPlan,
  { cohortId, courseId, passwordHash, admin }: Enrolment,
): Promise<void> {
  const coaches = numbered(coachesOf(plan.size), plan.firstCoach, 4).map((number) =>
    personOf(`seed${plan.seed}-coach-${number}`, 'coach', passwordHash),
  );
  const participants = numbered(plan.size, plan.firstParticipant, 6).map((number) =>
    personOf(`seed${plan.seed}-${number}`, 'participant', passwordHash),
  );
  await createSignIns(db, [...coaches, ...participants]);
  await setUpCoaches(db, plan, coaches);
  const members = participants.map(({ id }, place) => memberOf(plan, id, place, coaches));
  await sql`
    create temporary table seeded_members on commit drop as
    select given.*, person.full_name as name, coach.full_name as coach_name
    from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as given (participant_id uuid, coach_id uuid, place integer,
      attends integer, hands_in integer, rating numeric, made_at timestamptz, joined_on date, left_on date)
    join profiles person on person.id = given.participant_id
    left join profiles coach on coach.id = given.coach_id`.execute(db);
  await sql`analyze seeded_members`.execute(db);
  await enrol(db, plan, { cohortId, courseId, admin });
  await describeMembers(db, plan);
}

function memberOf(
  { startDate, passedWeeks, state, until }: CohortPlan,
  id: string,
  place: number,
  coaches: { id: string }[],
) {
  const draw = drawOf(id);
  // The first person of a cohort comes all the way, so that somebody who signs in as them sees everything.
  const isFirst = place === 0;
  const manner = isFirst ? manners.at(-1) : manners.find(({ below }) => draw('manner', 100) < below);
  const isLate = !isFirst && passedWeeks >= 2 && draw('late', 100) < 2;
  const leaves = !isFirst && passedWeeks >= 3 && state !== 'completed' && draw('leaves', 100) < 4;
  // Half of the people of a coming cohort wait for a coach.
  const isWaiting = !isFirst && state === 'planning' && draw('waits', 2) === 0;
  const joinedOn = isLate ? addDays(startDate, 7 + draw('day', 5)) : addDays(startDate, -3 - draw('day', 9));
  const today = dayAt(until, houseZone);
  return {
    participant_id: id,
    coach_id: isWaiting ? null : (coaches[Math.floor(place / participantsOfCoach)]?.id ?? null),
    place,
    attends: manner?.attends,
    hands_in: manner?.handsIn,
    rating: manner?.rating,
    made_at: `${addDays(joinedOn < today ? joinedOn : today, -4 - draw('made', 40))}T${12 + draw('hour', 10)}:${10 + draw('minute', 50)}:00Z`,
    joined_on: joinedOn,
    left_on: leaves ? addDays(startDate, 14 + draw('left', 7 * (passedWeeks - 2))) : null,
  };
}

/** Eight of ten coaches take bookings by their own page too, and each offers the same hours every week. */
async function setUpCoaches(db: Db, { seed, startDate, until }: CohortPlan, coaches: { id: string }[]): Promise<void> {
  const ids = coaches.map(({ id }) => id);
  const today = dayAt(until, houseZone);
  const madeOn = startDate < today ? startDate : today;
  await sql`
    update profiles set created_at = ${addDays(madeOn, -70)}::date + interval '15 hours',
      scheduling_enabled = chosen.is_open,
      scheduling_link = case when chosen.is_open then 'https://booking.example/' || left(profiles.id::text, 8) end,
      external_booking_instructions = case when chosen.is_open then 'Please write in one line what you would like to talk about.' end
    from (select id, ${drawn(seed, 'booking', 'id')} < 800 as is_open from unnest(${ids}::uuid[]) as id) chosen
    where profiles.id = chosen.id`.execute(db);
}

async function enrol(
  db: Db,
  plan: CohortPlan,
  { cohortId, courseId, admin }: Omit<Enrolment, 'passwordHash'>,
): Promise<void> {
  const { seed, state, startDate, until } = plan;
  const enrolledAt = easternAt(sql`joined_on`, sql`time '10:00'`);
  await sql`
    with membership as (
      insert into cohort_participants (cohort_id, participant_id, status, enrolled_at, ended_at)
      select ${cohortId}, participant_id,
        case when left_on is not null then 'withdrawn' when ${state} = 'completed' then 'completed' else 'active' end,
        least(${enrolledAt}, ${until}::timestamptz - interval '20 minutes'),
        case when left_on is not null then ${easternAt(sql`left_on`, sql`time '16:00'`)}
          when ${state} = 'completed' then ${easternAt(sql`${startDate}::date + 120`, sql`time '12:00'`)} end
      from seeded_members
      returning participant_id, enrolled_at, ended_at, status
    ), course as (
      insert into user_courses (user_id, course_id, coach_id, start_date, status)
      select participant_id, ${courseId}, coach_id, least(joined_on, ${dayAt(until, houseZone)}::date),
        case when ${state} = 'completed' then 'completed' else 'enrolled' end
      from seeded_members
    )
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after, reason)
    select enrolled_at, ${admin.id}::uuid, 'cohort.enrol', 'user', participant_id,
      '{"trackType": "fellowship", "membership": null}'::jsonb,
      jsonb_build_object('trackType', 'fellowship', 'membership', 'active', 'cohortId', ${cohortId}::text), null
    from membership
    union all
    select enrolled_at + interval '20 minutes', ${admin.id}::uuid, 'coach.assign', 'user', participant_id, null,
      jsonb_build_object('coachId', coach_id), null
    from membership join seeded_members using (participant_id) where coach_id is not null
    union all
    select ended_at, ${admin.id}::uuid, 'membership.withdraw', 'user', participant_id,
      jsonb_build_object('cohortId', ${cohortId}::text, 'membership', 'active'),
      jsonb_build_object('cohortId', ${cohortId}::text, 'membership', 'withdrawn'),
      case when ${drawn(seed, 'why', 'participant_id')} < 500 then 'Found work as an apprentice.' else 'Moved away for family reasons.' end
    from membership where status = 'withdrawn'`.execute(db);
}

/** Writes when people were made and last signed in, whether their phone is confirmed, and what they switched off. */
async function describeMembers(db: Db, { seed, state, until }: CohortPlan): Promise<void> {
  await sql`
    with described as (
      update profiles set created_at = least(made_at, ${until}::timestamptz),
        phone_confirmed_at = case when phone is not null and ${drawn(seed, 'phone', 'participant_id')} < 600
          then least(made_at, ${until}::timestamptz) + interval '1 day' end
      from seeded_members where profiles.id = participant_id
    ), preferences as (
      insert into notification_preferences (user_id, email_enabled, sms_enabled)
      select participant_id, ${drawn(seed, 'mail', 'participant_id')} < 900, ${drawn(seed, 'sms', 'participant_id')} < 300
      from seeded_members where ${drawn(seed, 'prefers', 'participant_id')} < 120
    ), seen as (
      update last_sign_ins set signed_in_at = ${until}::timestamptz - make_interval(mins =>
        case when ${state} = 'completed' then 60000 else 60 end + 9 * ${drawn(seed, 'seen', 'user_id')})
      from (select participant_id as id, false as is_coach from seeded_members
        union select coach_id, true from seeded_members where coach_id is not null) people
      where user_id = people.id and (is_coach or ${state} <> 'planning')
      returning user_id, signed_in_at
    )
    insert into auth.sign_in_record (at, user_id, kind, way, ip_address, user_agent)
    select signed_in_at - make_interval(days => earlier), user_id, 'sign_in', 'password',
      '198.51.100.' || ${drawn(seed, 'address', 'user_id')} % 250,
      case when ${drawn(seed, 'browser', 'user_id')} < 600
        then 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'
        else 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0' end
    from seen cross join unnest(array[0, 2, 5]) as earlier
    where signed_in_at - make_interval(days => earlier) > ${until}::timestamptz - interval '80 days'`.execute(db);
}

function numbered(count: number, first: number, digits: number): string[] {
  return Array.from({ length: count }, (_, index) => String(first + index).padStart(digits, '0'));
}

function personOf(name: string, role: Role, passwordHash: string) {
  const id = idOf(name);
  const draw = drawOf(id);
  const isReachable = draw('hasPhone', 10) < 7;
  return {
    id,
    email: `${name}@seed.example`,
    firstName: firstNames[draw('first', firstNames.length)] ?? '',
    lastName: lastNames[draw('last', lastNames.length)] ?? '',
    role,
    trackType: role === 'participant' ? ('fellowship' as const) : null,
    phone: isReachable ? `+1${areas[draw('area', areas.length)]}55501${10 + draw('line', 90)}` : null,
    passwordHash,
    isEmailConfirmed: true,
  };
}

/** Numbers 555-0100 to 555-0199 of any area belong to nobody. */
const areas = ['216', '313', '414', '505', '510', '612', '661', '757', '865', '915'];

function drawOf(id: string) {
  return (purpose: string, below: number) => Number.parseInt(idOf(id, purpose).slice(0, 8), 16) % below;
}
