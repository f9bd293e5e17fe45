import { sql } from 'kysely';
import { type Db, openDatabase } from '#server/db/database.ts';
import { countAnew } from '#server/features/home/tallies.ts';
import { fillOutlooks } from '#server/features/stipends/week-outlooks.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { cohortsAtOnce, fillWithSeed, seedPassword } from '../scripts/seed/fill.ts';
import { daysNow, findRecords, mostAtOnce, one, type TableWorld } from './table-world.ts';

const seed = 1;

interface Chosen {
  participantId: string;
  email: string;
  cohortId: string;
  coachId: string;
  adminId: string;
  moduleId: string;
}

/**
 * The made-up programme of `npm run seed`, with all that people do: paid weeks, hand-overs, messages, notices and a log.
 * The participant is the first who handed in work in a cohort under way, and the coach is theirs.
 */
export async function buildSeededWorld(address: string, storage: Storage, people: number): Promise<TableWorld> {
  const { patientDb: db, close } = openDatabase(address, { max: cohortsAtOnce });
  try {
    await fillWithSeed(db, storage, { participants: people, seed, tell: () => undefined });
    // Jobs do this every ten minutes and every minute.
    await countAnew(db);
    await fillOutlooks(db);
    await sql`vacuum analyze`.execute(db);
    return await chooseRecords(db);
  } finally {
    await close();
  }
}

async function chooseRecords(db: Db): Promise<TableWorld> {
  const chosen = await one<Chosen>(
    db,
    sql`
      select person.id as participant_id, person.email, membership.cohort_id, taken.coach_id,
        (select id from profiles where email = ${`seed${seed}-admin@seed.example`}) as admin_id,
        (select id from course_modules order by id limit 1) as module_id
      from profiles person
      join cohort_participants membership on membership.participant_id = person.id and membership.status = 'active'
      join cohorts on cohorts.id = membership.cohort_id and cohorts.status = 'active'
      join user_courses taken on taken.user_id = person.id and taken.status = 'enrolled' and taken.coach_id is not null
      where exists (select from content_submissions where content_submissions.user_id = person.id)
      order by person.email limit 1`,
  );
  const { participantId, cohortId, coachId, adminId, moduleId, email } = chosen;
  return {
    admin: { id: adminId },
    coach: { id: coachId },
    participant: { id: participantId },
    participants: await ownParticipants(db, chosen),
    cohortId,
    moduleId,
    signIn: { email, password: seedPassword },
    ...daysNow(),
    ...(await findRecords(db, cohortId, participantId)),
  };
}

/** Each with the last message that the coach wrote, and the last notice. */
async function ownParticipants(db: Db, { coachId, participantId }: Chosen): Promise<TableWorld['participants']> {
  const { rows } = await sql<TableWorld['participants'][number]>`
    select taken.user_id as id,
      (select id from coach_messages where recipient_id = taken.user_id and sender_id = ${coachId}
        order by sent_at desc limit 1) as message_id,
      (select id from notices where user_id = taken.user_id order by created_at desc limit 1) as notice_id
    from user_courses taken where taken.coach_id = ${coachId} and taken.status = 'enrolled'
    order by taken.user_id = ${participantId} desc, taken.user_id limit ${mostAtOnce}`.execute(db);
  return rows;
}
