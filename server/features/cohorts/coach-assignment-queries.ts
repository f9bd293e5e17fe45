import { type SqlBool, sql } from 'kysely';
import type {
  CoachChoice,
  listCoaches,
  listParticipantsWithoutCoach,
  WaitingParticipant,
} from '#contract/coach-assignment.ts';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { kindNameOf } from '#server/features/programmes/calendar-queries.ts';
import { countOf } from '#server/platform/matching.ts';
import { byId, byText, pagesBy } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';

const pages = pagesBy(100, [byText(sql`first_name`), byId(sql`id`)]);

/** CASN-03, USER-38: the order is by first names. */
export async function findCoaches(
  db: Db,
  { search, cursor }: ParsedInputOf<typeof listCoaches>['query'],
): Promise<ReplyOf<typeof listCoaches>> {
  const found = await sql<CoachChoice>`
    select id, first_name, last_name, email,
      (select count(distinct user_id)::int from user_courses
        where coach_id = profiles.id and status = 'enrolled') as participant_count
    from profiles
    where role = 'coach' and deleted_at is null and ${isFoundByWords(search)} and ${pages.comesAfter(cursor)}
    order by ${pages.inOrder} limit ${pages.most}`.execute(db);
  return paged(found.rows);
}

/** CASN-02: each person has one row, however many of their courses lack a coach. */
export async function findParticipantsWithoutCoach(
  db: Db,
  { search, cursor }: ParsedInputOf<typeof listParticipantsWithoutCoach>['query'],
): Promise<ReplyOf<typeof listParticipantsWithoutCoach>> {
  const isMeant = sql`role = 'participant' and deleted_at is null and ${isWithoutCoach} and ${isFoundByWords(search)}`;
  const found = await sql<{ rows: WaitingParticipant[]; matching: number }>`
    select ${countOf(sql`(select from profiles where ${isMeant})`)} as matching,
      coalesce((select json_agg(page) from (
        select id, first_name as "firstName", last_name as "lastName", email, track_type as "trackType", ${kindNameOf(sql`profiles`)} as "kindName",
          (select cohorts.name from cohort_participants member join cohorts on cohorts.id = member.cohort_id
            where member.participant_id = profiles.id and member.status = 'active'
            order by cohorts.start_date desc, cohorts.id desc limit 1) as "cohortName"
        from profiles
        where ${isMeant} and ${pages.comesAfter(cursor)}
        order by ${pages.inOrder} limit ${pages.most}) as page), '[]') as rows`.execute(db);
  const [{ rows, matching } = { rows: [], matching: 0 }] = found.rows;
  return { ...paged(rows), matching };
}

/** This is a condition on `profiles`. */
export const isWithoutCoach = sql<SqlBool>`exists (select from user_courses
  where user_courses.user_id = profiles.id and user_courses.status = 'enrolled' and user_courses.coach_id is null)`;

function paged<Row extends { id: string; firstName: string }>(found: Row[]) {
  return pages.cut(found, ({ firstName, id }) => [firstName, id]);
}
