import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';

/**
 * Each coach to whom an upload gave participants hears of it once, at its end, no matter how many. A coach who came by
 * the same upload has the invitation instead.
 */
export async function tellCoachesOfImport(db: Db, importId: string): Promise<void> {
  const { rows: coaches } = await sql<{ id: string; participants: number }>`
    select taken.coach_id as id, count(distinct taken.user_id)::int as participants
    from bulk_import_rows made
    join user_courses taken on taken.user_id = made.user_id and taken.status = 'enrolled'
    where made.import_id = ${importId} and taken.coach_id is not null
      and taken.coach_id not in (select user_id from bulk_import_rows own where own.import_id = ${importId} and own.user_id is not null)
    group by taken.coach_id`.execute(db);
  const notices = coaches.map(({ id, participants }) => ({
    userId: id,
    kind: 'coach_assignment',
    preference: 'coachMessages' as const,
    title: participants === 1 ? 'A participant was assigned to you' : 'Participants were assigned to you',
    message:
      participants === 1 ? '1 new participant is with you now.' : `${participants} new participants are with you now.`,
    link: '/coach',
    eventKey: `import:${importId}:${id}`,
  }));
  await notify(db, notices);
  await changed(
    db,
    ['coaches', 'enrolments'],
    coaches.map(({ id }) => id),
  );
}
