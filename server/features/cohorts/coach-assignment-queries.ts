import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type {
  CoachChoice,
  listCoaches,
  listParticipantsWithoutCoach,
  WaitingParticipant,
} from '#contract/coach-assignment.ts';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';

const pageSize = 100;

/** CASN-03, USER-38: in the order of first names. */
export async function findCoaches(
  db: Db,
  { search, cursor }: ParsedInputOf<typeof listCoaches>['query'],
): Promise<ReplyOf<typeof listCoaches>> {
  const found = await sql<CoachChoice>`
    select id, first_name, last_name, email,
      (select count(distinct user_id)::int from user_courses
        where coach_id = profiles.id and status = 'enrolled') as participant_count
    from profiles
    where role = 'coach' and deleted_at is null and ${isFoundByWords(search)} and ${comesAfter(cursor)}
    order by first_name, id limit ${pageSize + 1}`.execute(db);
  return paged(found.rows);
}

/** CASN-02: one row a person, however many of their courses lack a coach. */
export async function findParticipantsWithoutCoach(
  db: Db,
  { search, cursor }: ParsedInputOf<typeof listParticipantsWithoutCoach>['query'],
): Promise<ReplyOf<typeof listParticipantsWithoutCoach>> {
  const isMeant = sql`role = 'participant' and deleted_at is null and ${isWithoutCoach} and ${isFoundByWords(search)}`;
  const found = await sql<{ rows: WaitingParticipant[]; matching: number }>`
    select (select count(*)::int from profiles where ${isMeant}) as matching,
      coalesce((select json_agg(page) from (
        select id, first_name as "firstName", last_name as "lastName", email, track_type as "trackType",
          (select cohorts.name from cohort_participants member join cohorts on cohorts.id = member.cohort_id
            where member.participant_id = profiles.id and member.status = 'active'
            order by cohorts.start_date desc, cohorts.id desc limit 1) as "cohortName"
        from profiles
        where ${isMeant} and ${comesAfter(cursor)}
        order by first_name, id limit ${pageSize + 1}) as page), '[]') as rows`.execute(db);
  const [{ rows, matching } = { rows: [], matching: 0 }] = found.rows;
  return { ...paged(rows), matching };
}

/** A condition on `profiles`. */
export const isWithoutCoach = sql<SqlBool>`exists (select from user_courses
  where user_courses.user_id = profiles.id and user_courses.status = 'enrolled' and user_courses.coach_id is null)`;

const Place = z.tuple([z.string().max(500), z.uuid()]);

function comesAfter(cursor: string | undefined): RawBuilder<SqlBool> {
  if (cursor === undefined) return sql<SqlBool>`true`;
  const [firstName, id] = readCursor(cursor, Place);
  return sql<SqlBool>`(first_name, id) > (${firstName}::text, ${id}::uuid)`;
}

function paged<Row extends { id: string; firstName: string }>(found: Row[]) {
  const rows = found.slice(0, pageSize);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: found.length > pageSize && last ? writeCursor([last.firstName, last.id]) : null,
  };
}
