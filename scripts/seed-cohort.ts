import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { moduleNames } from '#contract/learning.ts';
import type { Role } from '#contract/roles.ts';
import { addDays, programmeWeeks, programmeZone } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { recomputeProgress } from '#server/features/learning/progress-derivation.ts';
import { deriveWeek } from '#server/features/stipends/week-derivation.ts';
import { createSignIns } from '#server/sign-in/sign-ins.ts';

export interface SeededCohort {
  seed: number;
  /** Starts at 1. */
  number: number;
  /** The number of participants, at most `cohortSize`. */
  size: number;
  startDate: string;
  /** The number of weeks with attendance, submissions, ratings and stipends. */
  passedWeeks: number;
  passwordHash: string;
}

export const cohortSize = 200;
export const seedPassword = 'Power-Up-2026!';
const participantsOfOneCoach = 20;
const firstNames = [
  'Ana',
  'Bilal',
  'Chen',
  'Dara',
  'Emeka',
  'Freya',
  'Gita',
  'Hugo',
  'Ines',
  'Łukasz',
  'Mei',
  'Nils',
  'Oluwaseun',
  'Zoë',
];
const lastNames = [
  'Abara',
  'Bergström',
  'Castillo',
  'Dvořák',
  'Eze',
  'Fischer',
  'García',
  'Haddad',
  'Ivanova',
  'Jensen',
  'Kowalczyk',
  'Montgomery-Whitfield',
  'Nguyễn',
  'Okafor',
];

export async function isCohortThere(db: Db, cohort: SeededCohort): Promise<boolean> {
  const found = await db.selectFrom('cohorts').select('id').where('id', '=', cohortId(cohort)).executeTakeFirst();
  return found !== undefined;
}

/** Creates the course in which coaches are assigned, its modules, and the seed's admin. */
export async function seedCourse(db: Db, seed: number, passwordHash: string): Promise<void> {
  await db
    .insertInto('courses')
    .values({ id: idOf(`${seed}:course`), title: `Seeded course ${seed}`, trackType: 'fellowship' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('courseModules')
    .values(
      moduleNames.map((title, index) => ({
        title,
        moduleType: 'core',
        curriculumVersion: 'seed',
        orderIndex: index + 1,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await createSignIns(db, [person(`seed${seed}-admin`, 'admin', passwordHash)]);
}

/** Creates one cohort with everything that its people did. Each kind of row is one set. */
export async function seedCohort(db: Db, cohort: SeededCohort): Promise<void> {
  const members = await seedPeople(db, cohort);
  await seedProgramme(db, cohort);
  await seedMembers(db, cohort, members);
  await seedAttendance(db, cohort);
  await seedSubmissions(db, cohort);
  await seedRatings(db, cohort);
  await seedStipends(db, cohort);
}

/** Derives the progress of everybody in the cohort, as the product does after each event. */
export async function deriveProgress(db: Db, cohort: SeededCohort): Promise<void> {
  const id = cohortId(cohort);
  const members = await db
    .selectFrom('cohortParticipants')
    .select('participantId')
    .where('cohortId', '=', id)
    .execute();
  await recomputeProgress(
    db,
    members.map(({ participantId }) => participantId),
    id,
  );
}

async function seedPeople(db: Db, { seed, number, size, passwordHash }: SeededCohort) {
  const first = (number - 1) * cohortSize + 1;
  const firstCoach = (first - 1) / participantsOfOneCoach + 1;
  const coachCount = Math.ceil(size / participantsOfOneCoach);
  const coaches = Array.from({ length: coachCount }, (_, index) =>
    person(`seed${seed}-coach-${String(firstCoach + index).padStart(4, '0')}`, 'coach', passwordHash),
  );
  const participants = Array.from({ length: size }, (_, index) =>
    person(`seed${seed}-${String(first + index).padStart(6, '0')}`, 'participant', passwordHash),
  );
  await createSignIns(db, [...coaches, ...participants]);
  return participants.map(({ id }, index) => ({
    id,
    coachId: coaches[Math.floor(index / participantsOfOneCoach)]?.id ?? null,
  }));
}

async function seedProgramme(db: Db, cohort: SeededCohort): Promise<void> {
  const { seed, number, startDate } = cohort;
  const id = cohortId(cohort);
  await db
    .insertInto('cohorts')
    .values({
      id,
      name: `Seeded cohort ${seed}-${number}`,
      startDate,
      endDate: addDays(startDate, 7 * programmeWeeks - 3),
      capacity: cohortSize,
      status: 'active',
      programType: 'fellowship',
      curriculumVersion: 'seed',
    })
    .execute();
  await sql`
    with activity as (
      insert into training_activities (cohort_id, title, week_number, session_date, session_time, duration_minutes,
        delivery_medium, training_delivery_mode, module_name, applicable_fellowship)
      select ${id}, 'Week ' || week || ', session ' || place, week,
        ${startDate}::date + 7 * (week - 1) + 2 * (place - 1), time '10:00', 90, 'Virtual', 'SME-delivered Webconference',
        (${[...moduleNames]}::text[])[1 + (week - 1) % ${moduleNames.length}], true
      from generate_series(1, ${programmeWeeks}::integer) week, generate_series(1, 3) place
      returning id, week_number, session_date
    ), item as (
      insert into content_items (training_activity_id, title, content_type)
      select id, case when extract(isodow from session_date) = 5 then 'Assignment' else 'Reading' end,
        case when extract(isodow from session_date) = 5 then 'assignment' else 'reading' end
      from activity
      returning id, training_activity_id, content_type
    )
    insert into content_assignments (content_item_id, title, instructions, due_date)
    select item.id, 'Report of week ' || activity.week_number, 'Describe what you measured.', activity.session_date
    from item join activity on activity.id = item.training_activity_id
    where item.content_type = 'assignment'`.execute(db);
}

async function seedMembers(db: Db, cohort: SeededCohort, members: { id: string; coachId: string | null }[]) {
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as given (id uuid, "coachId" uuid)
    ), member as (
      insert into cohort_participants (cohort_id, participant_id) select ${cohortId(cohort)}, id from given
    )
    insert into user_courses (user_id, course_id, coach_id, start_date)
    select id, ${idOf(`${cohort.seed}:course`)}, "coachId", ${cohort.startDate}::date from given`.execute(db);
}

/** Covers nine of ten sessions of the passed weeks. */
async function seedAttendance(db: Db, cohort: SeededCohort): Promise<void> {
  await sql`
    insert into attendance_records (fellow_id, cohort_id, content_id, week_number, duration_minutes, accessed_at)
    select member.participant_id, activity.cohort_id, activity.id, activity.week_number, 90,
      (activity.session_date + time '11:30') at time zone ${programmeZone}
    from cohort_participants member
    join training_activities activity on activity.cohort_id = member.cohort_id
    where member.cohort_id = ${cohortId(cohort)} and activity.week_number <= ${cohort.passedWeeks}
      and ${drawn(cohort.seed, 'member.participant_id', 'activity.title')} < 90`.execute(db);
}

/** 92 of 100 are handed in. Most of those are accepted, some wait, some need a revision. */
async function seedSubmissions(db: Db, cohort: SeededCohort): Promise<void> {
  await sql`
    with handed_in as (
      select assignment.id as assignment_id, member.participant_id, course.coach_id,
        (assignment.due_date + time '17:00') at time zone ${programmeZone} as at,
        ${drawn(cohort.seed + 1, 'member.participant_id', 'assignment.title')} as drawn
      from cohort_participants member
      join user_courses course on course.user_id = member.participant_id
      join training_activities activity on activity.cohort_id = member.cohort_id
      join content_items item on item.training_activity_id = activity.id
      join content_assignments assignment on assignment.content_item_id = item.id
      where member.cohort_id = ${cohortId(cohort)} and activity.week_number <= ${cohort.passedWeeks}
    ), judged as (
      select *, case when drawn < 80 then 'accepted' when drawn < 85 then 'needs_revision' else 'submitted' end as status
      from handed_in where drawn < 92
    ), made as (
      insert into content_submissions
        (assignment_id, user_id, submission_text, submitted_at, status, feedback, reviewed_by, reviewed_at)
      select assignment_id, participant_id, 'What I measured, and what it means.', at, status,
        case when status <> 'submitted' then 'Thank you.' end,
        case when status <> 'submitted' then coach_id end,
        case when status <> 'submitted' then at + interval '1 day' end
      from judged
      returning *
    )
    insert into submission_rounds
      (submission_id, round_number, submission_text, submitted_at, review_status, feedback, reviewed_by, reviewed_at)
    select id, round_number, submission_text, submitted_at, nullif(status, 'submitted'), feedback, reviewed_by, reviewed_at
    from made`.execute(db);
}

async function seedRatings(db: Db, cohort: SeededCohort): Promise<void> {
  await sql`
    insert into performance_feedback (fellow_id, cohort_id, week_number, overall_rating, rated_by)
    select member.participant_id, member.cohort_id, week,
      2.5 + 0.5 * (${drawn(cohort.seed + 2, 'member.participant_id', 'week')} % 6), course.coach_id
    from cohort_participants member
    join user_courses course on course.user_id = member.participant_id
    cross join generate_series(1, ${cohort.passedWeeks}::integer) week
    where member.cohort_id = ${cohortId(cohort)}`.execute(db);
}

/** Processes every passed week and decides all but the last one. */
async function seedStipends(db: Db, cohort: SeededCohort): Promise<void> {
  const id = cohortId(cohort);
  for (let weekNumber = 1; weekNumber <= cohort.passedWeeks; weekNumber += 1)
    await deriveWeek(db, { cohortIds: [id], weekNumber });
  await sql`
    update stipend_eligibility set payment_status = 'approved', approved_at = now(),
      approved_by = (select id from profiles where email = ${`seed${cohort.seed}-admin@seed.example`}),
      version = version + 1
    where cohort_id = ${id} and week_number < ${cohort.passedWeeks} and overall_eligible`.execute(db);
}

/** A number from 0 to 99, always the same for the same seed and row. */
function drawn(seed: number, first: string, second: string) {
  const key = sql`${sql.ref(first)}::text || ':' || ${sql.ref(second)}::text`;
  return sql<number>`((hashtextextended(${key}, ${seed}) % 100 + 100) % 100)`;
}

function person(name: string, role: Role, passwordHash: string) {
  const id = idOf(name);
  const at = (offset: number, names: string[]) =>
    names[Number.parseInt(id.slice(offset, offset + 6), 16) % names.length] ?? '';
  return {
    id,
    email: `${name}@seed.example`,
    firstName: at(0, firstNames),
    lastName: at(24, lastNames),
    role,
    trackType: role === 'participant' ? ('fellowship' as const) : null,
    passwordHash,
    isEmailConfirmed: true,
  };
}

function cohortId({ seed, number }: SeededCohort): string {
  return idOf(`${seed}:cohort:${number}`);
}

/** Makes a UUID of version 3 from the name. */
function idOf(name: string): string {
  const digest = createHash('md5').update(name).digest('hex');
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-3$3-8$4-');
}
