import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { countAnew } from '#server/features/home/tallies.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import { fillOutlooks } from '#server/features/stipends/week-outlooks.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildModule } from '../test/factories/curriculum.ts';
import { buildMessages } from '../test/factories/messages.ts';
import { buildNotice } from '../test/factories/notices.ts';
import { buildLargeProgramme } from './large-programme.ts';

export const mostAtOnce = 32;
const messagesOfPair = 60;

interface Person {
  id: string;
}
/** Some records of a participant of the coach, which the reads ask for. */
interface Records {
  activityId: string;
  laterActivityId: string;
  itemId: string;
  assignmentId: string;
  submissionId: string;
  stipendId: string;
}
export interface TableWorld extends Records {
  admin: Person;
  coach: Person;
  participant: Person;
  /** Those of the coach who act side by side, the participant first. */
  participants: (Person & { messageId: string; noticeId: string })[];
  cohortId: string;
  moduleId: string;
  signIn: { email: string; password: string };
  sunday: string;
  startDate: string;
}

/** The large programme with a week of stipends, and people who write, are told and sign in. */
export async function buildTableWorld(db: Db, people: number, { isHeavy = false } = {}): Promise<TableWorld> {
  const { admin, coach, participant } = await buildLargeProgramme(db, people, { isHeavy });
  const { id: moduleId } = await buildModule(db);
  const cohorts = await db.selectFrom('cohorts').select('id').execute();
  for (const { id } of cohorts) await processWeek(db, 1, id);
  const { cohortId } = await one<{ cohortId: string }>(
    db,
    sql`select cohort_id from cohort_participants where participant_id = ${participant.id}`,
  );
  const own = await db
    .selectFrom('userCourses')
    .innerJoin('profiles', 'profiles.id', 'userCourses.userId')
    .selectAll('profiles')
    .where('userCourses.coachId', '=', coach.id)
    .orderBy((eb) => eb('profiles.id', '=', participant.id), 'desc')
    .limit(mostAtOnce)
    .execute();
  const participants = [];
  for (const person of own) {
    const messages = await buildMessages(db, { coach, participant: person }, { count: messagesOfPair });
    const notice = await buildNotice(db, { userId: person.id });
    participants.push({ id: person.id, messageId: messages.at(-1)?.id ?? '', noticeId: notice.id });
  }
  const records = await findRecords(db, cohortId, participant.id);
  const signIn = { email: 'signs-in@people.example', password: 'Power-Up-2026!' };
  await createSignInWithPassword(db, {
    ...signIn,
    firstName: 'Robin',
    lastName: 'Reyes',
    role: 'participant',
    trackType: 'fellowship',
  });
  // A job does this every ten minutes. Until then each person and each hand-in has a line of its own.
  await countAnew(db);
  // Another does this every minute.
  await fillOutlooks(db);
  await sql`vacuum analyze`.execute(db);
  return { admin, coach, participant, participants, cohortId, moduleId, signIn, ...daysNow(), ...records };
}

export function daysNow(): Pick<TableWorld, 'sunday' | 'startDate'> {
  const today = dayAt(new Date(), houseZone);
  return { sunday: addDays(today, -new Date(`${today}T00:00:00Z`).getUTCDay()), startDate: today };
}

/** The first work of the participant, with what belongs to it. */
export function findRecords(db: Db, cohortId: string, participantId: string): Promise<Records> {
  return one<Records>(
    db,
    sql`
      select activity.id as activity_id, item.id as item_id, assignment.id as assignment_id,
        submission.id as submission_id, stipend.id as stipend_id,
        (select later.id from training_activities later where later.cohort_id = ${cohortId} and later.week_number = 5
          order by title limit 1) as later_activity_id
      from training_activities activity
      join content_items item on item.training_activity_id = activity.id
      join content_assignments assignment on assignment.content_item_id = item.id
      join content_submissions submission on submission.assignment_id = assignment.id
      join stipend_eligibility stipend on stipend.fellow_id = submission.user_id
      where activity.cohort_id = ${cohortId} and submission.user_id = ${participantId}
      order by activity.week_number, activity.title limit 1`,
  );
}

export async function one<Row>(db: Db, statement: ReturnType<typeof sql<Row>>): Promise<Row> {
  const { rows } = await statement.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The programme has no such record.');
  return row;
}
